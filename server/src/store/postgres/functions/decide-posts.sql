-- Decides about posts in the order given, by the same rules as the embedded store. append_transactions and
-- append_guild_transactions call it. It reads no table: `balances`, `counts` and `last_ats` are the accounts before and, as
-- results, after the posts, `last_numbers` those of the guilds' ledgers, and first_hashes, first_ids and first_balances belong
-- to the first use of each idempotency key. A post that is to be written has row_seqs, row_ats and row_numbers. repeated_key is
-- the key of a group that was written before; the caller reads its outcomes.
CREATE OR REPLACE FUNCTION decide_posts(
  is_group boolean, has_group_key boolean, is_locked boolean[], may_overdraw boolean[], floors bigint[],
  account_guilds int[], account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  totals bigint[], created_ats bigint[], forced int[], reverses_of bigint[], reversal_ids text[],
  first_hashes text[], first_ids text[], first_balances bigint[],
  limit_of int[], limit_amounts bigint[], limit_withdrawals bigint[],
  INOUT limit_days bigint[], INOUT limit_withdrawn bigint[],
  INOUT balances bigint[], INOUT counts bigint[], INOUT last_ats bigint[], INOUT last_numbers bigint[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[],
  OUT row_seqs bigint[], OUT row_ats bigint[], OUT row_numbers bigint[],
  OUT is_moved boolean[], OUT moved_count bigint, OUT new_keys bigint, OUT repeated_key int
) LANGUAGE plpgsql AS $$
DECLARE
  units_max CONSTANT bigint := 9007199254740991;
  reversal_id text;
  refusal text;
  post_day bigint; new_withdrawn bigint;
  a int; g int; k int; l int;
  new_balance bigint;
BEGIN
  outcomes := array_fill(NULL::text, ARRAY[cardinality(account_of)]);
  outcome_ids := outcomes;
  outcome_balances := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  row_seqs := outcome_balances; row_ats := outcome_balances; row_numbers := outcome_balances;
  is_moved := array_fill(false, ARRAY[cardinality(balances)]);
  moved_count := 0; new_keys := 0;
  FOR p IN 1 .. cardinality(account_of) LOOP
    a := account_of[p];
    g := account_guilds[a];
    IF NOT is_locked[g] THEN
      outcomes[p] := 'busy';
      CONTINUE;
    END IF;
    k := key_of[p];
    l := limit_of[p];
    refusal := NULL; reversal_id := NULL;
    IF k > 0 AND first_hashes[k] IS NOT NULL THEN
      IF first_hashes[k] = request_hashes[p] AND has_group_key THEN
        repeated_key := k;
        RETURN;
      ELSIF first_hashes[k] = request_hashes[p] THEN
        outcomes[p] := 'replayed';
        outcome_ids[p] := first_ids[k];
        outcome_balances[p] := first_balances[k];
        CONTINUE;
      END IF;
      refusal := 'idempotency_mismatch';
    ELSE
      IF reverses_of[p] IS NOT NULL THEN
        reversal_id := reversal_ids[p];
        FOR q IN 1 .. p - 1 LOOP
          IF reverses_of[q] = reverses_of[p] AND row_seqs[q] IS NOT NULL AND account_guilds[account_of[q]] = g THEN
            reversal_id := transaction_ids[q];
          END IF;
        END LOOP;
      END IF;
      new_balance := balances[a] + totals[p];
      IF l > 0 THEN
        post_day := greatest(limit_days[l], created_ats[p] / 86400000);
        new_withdrawn := CASE WHEN post_day = limit_days[l] THEN limit_withdrawn[l] ELSE 0 END + greatest(-totals[p], 0);
      END IF;
      IF l > 0 AND abs(totals[p]) > limit_amounts[l] THEN
        refusal := 'amount_limit';
      ELSIF l > 0 AND totals[p] < 0 AND new_withdrawn > limit_withdrawals[l] THEN
        refusal := 'withdrawal_limit';
      ELSIF reversal_id IS NOT NULL THEN
        refusal := 'already_reversed';
      ELSIF new_balance > units_max OR new_balance < -units_max THEN
        refusal := 'balance_out_of_range';
      -- An account's own floor counts before its guild's rule, which is zero or none.
      ELSIF totals[p] < 0 AND new_balance < coalesce(floors[a], CASE WHEN may_overdraw[g] THEN NULL ELSE 0 END)
        AND NOT p = ANY (forced) THEN
        refusal := 'overdraft';
      END IF;
    END IF;
    IF refusal IS NOT NULL THEN
      IF is_group THEN
        outcomes := array_fill('skipped'::text, ARRAY[cardinality(account_of)]);
        moved_count := 0;
      END IF;
      outcomes[p] := refusal;
      outcome_ids[p] := reversal_id;
      EXIT WHEN is_group;
      CONTINUE;
    END IF;
    IF NOT is_moved[a] THEN
      is_moved[a] := true;
      moved_count := moved_count + 1;
    END IF;
    IF l > 0 THEN
      limit_days[l] := post_day; limit_withdrawn[l] := new_withdrawn;
    END IF;
    balances[a] := new_balance;
    counts[a] := counts[a] + 1;
    -- The last time of a new account is NULL, which greatest() ignores.
    last_ats[a] := greatest(last_ats[a], created_ats[p]);
    row_seqs[p] := counts[a];
    row_ats[p] := last_ats[a];
    last_numbers[g] := last_numbers[g] + 1; row_numbers[p] := last_numbers[g];
    outcomes[p] := 'posted';
    outcome_ids[p] := transaction_ids[p];
    outcome_balances[p] := new_balance;
    IF k > 0 THEN
      first_hashes[k] := request_hashes[p];
      first_ids[k] := transaction_ids[p];
      first_balances[k] := new_balance;
      new_keys := new_keys + 1;
    END IF;
  END LOOP;
END $$;
