-- Decides about posts in the order given, by the same rules as the embedded store. post_transactions and
-- append_guild_transactions call it. It reads no table: `balances`, `counts` and `last_ats` are the accounts before and, as
-- results, after the posts, `last_numbers` those of the guilds' ledgers. first_hashes, first_ids, first_balances and first_numbers
-- belong to the first use of each idempotency key, batch_hashes to the key of each batch. A post that is to be written has
-- row_seqs, row_ats and row_numbers. A post of a keyed group that was written before has its number in repeat_numbers; the caller
-- reads its outcome.
--
-- A refusal in a group undoes the earlier posts of the group here, before anything is written.
CREATE OR REPLACE FUNCTION decide_posts(
  group_of int[], group_keyed boolean[], group_batches int[], group_hashes text[],
  is_locked boolean[], may_overdraw boolean[], floors bigint[],
  account_guilds int[], account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  totals bigint[], created_ats bigint[], forced int[], reverses_of bigint[], reversal_ids text[],
  first_hashes text[], first_ids text[], first_balances bigint[], first_numbers bigint[],
  limit_of int[], limit_amounts bigint[], limit_withdrawals bigint[],
  INOUT limit_days bigint[], INOUT limit_withdrawn bigint[], INOUT batch_hashes text[],
  INOUT balances bigint[], INOUT counts bigint[], INOUT last_ats bigint[], INOUT last_numbers bigint[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[],
  OUT row_seqs bigint[], OUT row_ats bigint[], OUT row_numbers bigint[], OUT repeat_numbers bigint[],
  OUT is_moved boolean[], OUT moved_count bigint, OUT new_keys bigint, OUT new_batches bigint, OUT repeats bigint
) LANGUAGE plpgsql AS $$
DECLARE
  units_max CONSTANT bigint := 9007199254740991;
  reversal_id text;
  reversals int[] := '{}';
  refusal text;
  post_day bigint; new_withdrawn bigint;
  a int; g int; k int; l int; t int; q int;
  new_balance bigint;
  -- The group of the current post: its first post, the outcome of its remaining posts once that is settled, whether it has
  -- claimed the key of its batch, and its repeated key.
  current_group int := 0; group_first int; verdict text; has_claimed boolean; repeated int;
  -- The position of the post that used a key first, when it is one of these.
  first_posts int[];
  -- The values before each post of a group, to undo it.
  counts_before bigint[]; ats_before bigint[]; days_before bigint[]; withdrawn_before bigint[];
BEGIN
  outcomes := array_fill(NULL::text, ARRAY[cardinality(account_of)]);
  outcome_ids := outcomes;
  outcome_balances := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  row_seqs := outcome_balances; row_ats := outcome_balances; row_numbers := outcome_balances;
  is_moved := array_fill(false, ARRAY[cardinality(balances)]);
  moved_count := 0; new_keys := 0; new_batches := 0; repeats := 0;
  IF cardinality(group_of) > 0 THEN
    repeat_numbers := outcome_balances;
    counts_before := counts; ats_before := outcome_balances; days_before := outcome_balances;
    withdrawn_before := outcome_balances;
    first_posts := array_fill(NULL::int, ARRAY[coalesce(cardinality(first_hashes), 0)]);
  END IF;
  FOR p IN 1 .. cardinality(account_of) LOOP
    a := account_of[p];
    g := account_guilds[a];
    IF NOT is_locked[g] THEN
      outcomes[p] := 'busy';
      CONTINUE;
    END IF;
    k := key_of[p];
    l := limit_of[p];
    t := group_of[p];
    refusal := NULL; reversal_id := NULL;
    IF t > 0 THEN
      IF t <> current_group THEN
        current_group := t; group_first := p; verdict := NULL; has_claimed := false;
        IF group_batches[t] > 0 AND batch_hashes[group_batches[t]] IS NULL THEN
          batch_hashes[group_batches[t]] := group_hashes[t];
          has_claimed := true;
          new_batches := new_batches + 1;
        ELSIF group_batches[t] > 0 AND batch_hashes[group_batches[t]] <> group_hashes[t] THEN
          verdict := 'batch_mismatch';
        ELSIF group_keyed[t] AND first_hashes[k] = request_hashes[p] THEN
          verdict := 'replayed';
          repeated := k;
        END IF;
      END IF;
      IF verdict IS NOT NULL THEN
        outcomes[p] := verdict;
        IF verdict = 'replayed' AND first_posts[repeated] IS NULL THEN
          repeat_numbers[p] := first_numbers[repeated] + p - group_first;
          repeats := repeats + 1;
        ELSIF verdict = 'replayed' THEN
          q := first_posts[repeated] + p - group_first;
          outcome_ids[p] := outcome_ids[q];
          outcome_balances[p] := outcome_balances[q];
        END IF;
        CONTINUE;
      END IF;
    END IF;
    IF k > 0 AND first_hashes[k] IS NOT NULL THEN
      IF first_hashes[k] = request_hashes[p] THEN
        outcomes[p] := 'replayed';
        outcome_ids[p] := first_ids[k];
        outcome_balances[p] := first_balances[k];
        CONTINUE;
      END IF;
      refusal := 'idempotency_mismatch';
    ELSE
      IF reverses_of[p] IS NOT NULL THEN
        reversal_id := reversal_ids[p];
        FOREACH q IN ARRAY reversals LOOP
          IF reverses_of[q] = reverses_of[p] AND row_seqs[q] IS NOT NULL AND account_guilds[account_of[q]] = g THEN
            reversal_id := transaction_ids[q];
          END IF;
        END LOOP;
        reversals := reversals || p;
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
      outcomes[p] := refusal;
      outcome_ids[p] := reversal_id;
      IF t > 0 THEN
        -- The last post is undone first, so that each value becomes what it was before the group.
        FOR q IN REVERSE p - 1 .. group_first LOOP
          outcomes[q] := 'skipped';
          CONTINUE WHEN row_seqs[q] IS NULL;
          a := account_of[q]; k := key_of[q]; l := limit_of[q];
          balances[a] := balances[a] - totals[q];
          counts[a] := counts[a] - 1;
          last_ats[a] := ats_before[q];
          last_numbers[g] := last_numbers[g] - 1;
          IF counts[a] = counts_before[a] THEN
            is_moved[a] := false;
            moved_count := moved_count - 1;
          END IF;
          IF l > 0 THEN
            limit_days[l] := days_before[q]; limit_withdrawn[l] := withdrawn_before[q];
          END IF;
          IF k > 0 THEN
            first_hashes[k] := NULL; first_posts[k] := NULL;
            new_keys := new_keys - 1;
          END IF;
          row_seqs[q] := NULL; row_ats[q] := NULL; row_numbers[q] := NULL;
          outcome_ids[q] := NULL; outcome_balances[q] := NULL;
        END LOOP;
        IF has_claimed THEN
          batch_hashes[group_batches[t]] := NULL;
          new_batches := new_batches - 1;
        END IF;
        verdict := 'skipped';
      END IF;
      CONTINUE;
    END IF;
    IF t > 0 THEN
      ats_before[p] := last_ats[a];
      IF l > 0 THEN
        days_before[p] := limit_days[l]; withdrawn_before[p] := limit_withdrawn[l];
      END IF;
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
      IF first_posts IS NOT NULL THEN
        first_posts[k] := p;
      END IF;
    END IF;
  END LOOP;
END $$;
