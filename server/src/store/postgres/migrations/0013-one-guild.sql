-- What a store needs whose tables are distributed by guild: writing into one guild's ledger with statements that each name
-- the guild, so that they run where its rows are. What decides about posts moves into a function of its own, which both
-- ways of writing call.

-- Decides about posts in the order given, by the same rules as on the embedded store. It reads no table: `balances`,
-- `counts` and `last_ats` are the accounts as they were and as the posts leave them, `last_numbers` the guilds' ledgers,
-- first_hashes, first_ids and first_balances what keys were used for. Of a post that is to be written it gives row_seqs,
-- row_ats and row_numbers. repeated_key is the key of a group that was written before, whose outcomes are to be read.
CREATE FUNCTION decide_posts(
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
    -- A new account has no last time, which the greatest leaves out.
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

-- As before, with the decisions made elsewhere.
CREATE OR REPLACE FUNCTION append_transactions(
  waits boolean, is_group boolean, has_group_key boolean,
  guild_nos bigint[], account_guilds int[], player_ids text[], key_guilds int[], idempotency_keys text[],
  account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  amounts bigint[], quantities bigint[], totals bigint[], names text[], sources text[],
  key_nos bigint[], created_ats bigint[], posted_bys text[], forced int[],
  extra_of int[], extra_references text[], extra_metadata text[], extra_payments text[], extra_reverses bigint[],
  limit_guilds int[], limit_key_nos bigint[], limit_of int[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[]
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_sort = off
SET enable_incremental_sort = off
SET jit = off
AS $$
DECLARE
  is_locked boolean[];
  may_overdraw boolean[];
  row_ids tid[];
  account_nos bigint[];
  balances bigint[]; counts bigint[]; counts_before bigint[]; last_ats bigint[];
  is_new boolean[];
  is_moved boolean[];
  first_hashes text[]; first_ids text[]; first_balances bigint[]; first_numbers bigint[];
  floors bigint[];
  last_numbers bigint[];
  row_guild_nos bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  row_account_nos bigint[] := row_guild_nos;
  row_seqs bigint[];
  row_ats bigint[];
  row_numbers bigint[];
  reverses_of bigint[] := row_guild_nos;
  reversal_ids text[];
  limit_amounts bigint[]; limit_days bigint[]; limit_withdrawals bigint[]; limit_withdrawn bigint[];
  a int;
  new_count bigint := 0; moved_count bigint; new_keys bigint; repeated_key int;
  written bigint;
BEGIN
  -- What a session behind a pooler has not got. Both last until the end of the transaction.
  IF current_setting('synchronous_commit') <> 'on' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  -- Shared with all writers, and taken whole by the one who writes all or nothing.
  PERFORM pg_advisory_xact_lock_shared(1195526961, 1);

  is_locked := lock_ledgers(guild_nos, waits);
  IF waits AND false = ANY (is_locked) THEN
    RAISE EXCEPTION 'there is no such guild' USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- Everything is read after the locks, so that what their last holder wrote is seen.
  SELECT array_agg(known.overdraft_allowed ORDER BY wanted.place), array_agg(ledger.last_number ORDER BY wanted.place)
  INTO may_overdraw, last_numbers
  FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
  LEFT JOIN LATERAL (SELECT o.overdraft_allowed FROM guild o WHERE o.guild_no = wanted.guild_no OFFSET 0) AS known
    ON true
  LEFT JOIN LATERAL (SELECT l.last_number FROM guild_ledger l WHERE l.guild_no = wanted.guild_no OFFSET 0) AS ledger
    ON true;

  -- The order leaves the index by player; without it any that begins with the guild would do while the table is empty.
  SELECT array_agg(found.row_id), array_agg(found.account_no), array_agg(coalesce(found.balance, 0)),
    array_agg(coalesce(found.transaction_count, 0)), array_agg(found.last_created_at), array_agg(found.floor)
  INTO row_ids, account_nos, balances, counts, last_ats, floors
  FROM (
    SELECT held.* FROM unnest(account_guilds, player_ids) WITH ORDINALITY AS wanted (guild, player_id, place)
    LEFT JOIN LATERAL (
      SELECT * FROM (
        SELECT o.ctid AS row_id, o.player_id, o.account_no, o.balance, o.transaction_count, o.last_created_at,
          o.floor
        FROM account o WHERE o.guild_no = guild_nos[wanted.guild] AND o.player_id >= wanted.player_id COLLATE "C"
        ORDER BY o.player_id LIMIT 1
      ) AS next WHERE next.player_id = wanted.player_id COLLATE "C"
    ) AS held ON true
    ORDER BY wanted.place
  ) AS found;
  counts_before := counts;

  IF cardinality(idempotency_keys) > 0 THEN
    SELECT array_agg(found.request_hash), array_agg(found.transaction_id), array_agg(found.balance_after),
      array_agg(found.number)
    INTO first_hashes, first_ids, first_balances, first_numbers
    FROM (
      SELECT used.request_hash, posted.transaction_id, posted.balance_after, posted.number
      FROM unnest(key_guilds, idempotency_keys) WITH ORDINALITY AS wanted (guild, idempotency_key, place)
      LEFT JOIN LATERAL (
        SELECT i.* FROM idempotency i WHERE i.guild_no = guild_nos[wanted.guild]
          AND i.idempotency_key = wanted.idempotency_key COLLATE "C" OFFSET 0
      ) AS used ON true
      LEFT JOIN LATERAL (
        SELECT t.transaction_id, t.balance_after, t.number FROM ledger_transaction t
        WHERE t.guild_no = used.guild_no AND t.account_no = used.account_no AND t.seq >= used.seq
        ORDER BY t.seq LIMIT 1
      ) AS posted ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;

  IF cardinality(extra_of) > 0 THEN
    FOR e IN 1 .. cardinality(extra_of) LOOP
      reverses_of[extra_of[e]] := extra_reverses[e];
    END LOOP;
    SELECT array_agg(found.transaction_id) INTO reversal_ids
    FROM (
      SELECT made.transaction_id FROM unnest(reverses_of, account_of) WITH ORDINALITY AS wanted (number, account, place)
      LEFT JOIN LATERAL (
        SELECT t.transaction_id FROM (
          SELECT x.guild_no, x.number FROM ledger_extra x
          WHERE x.guild_no = guild_nos[account_guilds[wanted.account]] AND x.reverses = wanted.number OFFSET 0
        ) AS reversal
        CROSS JOIN LATERAL (SELECT o.transaction_id FROM ledger_transaction o
          WHERE o.guild_no = reversal.guild_no AND o.number = reversal.number OFFSET 0) AS t
      ) AS made ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;

  -- A key that has lost its limits meanwhile has no row, and what is NULL limits nothing.
  IF cardinality(limit_key_nos) > 0 THEN
    SELECT array_agg(held.amount_max ORDER BY wanted.place), array_agg(held.withdrawn_per_day_max ORDER BY wanted.place),
      array_agg(held.day ORDER BY wanted.place), array_agg(held.withdrawn ORDER BY wanted.place)
    INTO limit_amounts, limit_withdrawals, limit_days, limit_withdrawn
    FROM unnest(limit_guilds, limit_key_nos) WITH ORDINALITY AS wanted (guild, key_no, place)
    LEFT JOIN LATERAL (SELECT o.* FROM key_limit o
      WHERE o.guild_no = guild_nos[wanted.guild] AND o.key_no = wanted.key_no OFFSET 0) AS held ON true;
  END IF;

  SELECT d.* INTO limit_days, limit_withdrawn, balances, counts, last_ats, last_numbers, outcomes, outcome_ids, outcome_balances, row_seqs, row_ats,
    row_numbers, is_moved, moved_count, new_keys, repeated_key
  FROM decide_posts(is_group, has_group_key, is_locked, may_overdraw, floors, account_guilds, account_of, key_of,
    request_hashes, transaction_ids, totals, created_ats, forced, reverses_of, reversal_ids, first_hashes, first_ids,
    first_balances, limit_of, limit_amounts, limit_withdrawals, limit_days, limit_withdrawn, balances, counts, last_ats,
    last_numbers) AS d;
  IF repeated_key IS NOT NULL THEN
    SELECT array_agg('replayed'::text), array_agg(t.transaction_id ORDER BY t.number),
      array_agg(t.balance_after ORDER BY t.number)
    INTO outcomes, outcome_ids, outcome_balances FROM ledger_transaction t
    WHERE t.guild_no = guild_nos[1] AND t.number >= first_numbers[repeated_key]
      AND t.number < first_numbers[repeated_key] + cardinality(account_of);
    RETURN;
  END IF;
  IF moved_count = 0 THEN
    RETURN;
  END IF;

  -- Numbers of accounts are drawn only now, so that refused posts use none.
  is_new := array_fill(false, ARRAY[cardinality(player_ids)]);
  FOR p IN 1 .. cardinality(account_of) LOOP
    a := account_of[p];
    IF row_seqs[p] IS NOT NULL THEN
      IF account_nos[a] IS NULL THEN
        account_nos[a] := nextval('account_number');
        is_new[a] := true;
        new_count := new_count + 1;
      END IF;
      row_guild_nos[p] := guild_nos[account_guilds[a]];
      row_account_nos[p] := account_nos[a];
    END IF;
  END LOOP;

  -- An instance of the version before imports without the ledger's lock. When it was quicker, the caller comes again.
  IF new_count > 0 THEN
    INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
    SELECT guild_nos[n.guild], n.account_no, n.player_id, n.balance, n.count, n.last_at
    FROM unnest(is_new, account_guilds, account_nos, player_ids, balances, counts, last_ats)
      AS n (is_new, guild, account_no, player_id, balance, count, last_at)
    WHERE n.is_new ORDER BY n.guild, n.player_id COLLATE "C"
    ON CONFLICT (guild_no, player_id) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < new_count THEN
      RAISE EXCEPTION 'an account was opened elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  -- By the place of the row, which needs no index. Where it moved, or something else took its place, nothing matches.
  IF moved_count > new_count THEN
    UPDATE account SET balance = m.balance, transaction_count = m.count, last_created_at = m.last_at
    FROM unnest(is_moved, is_new, row_ids, account_nos, balances, counts, counts_before, last_ats)
      AS m (is_moved, is_new, row_id, account_no, balance, count, count_before, last_at)
    WHERE m.is_moved AND NOT m.is_new AND account.ctid = m.row_id
      AND account.account_no + 0 = m.account_no AND account.transaction_count = m.count_before;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < moved_count - new_count THEN
      RAISE EXCEPTION 'an account was moved elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
    balance_after, key_no, created_at, posted_by, number)
  SELECT r.guild_no, r.account_no, r.seq, r.transaction_id, r.amount, r.quantity, r.total, r.name, r.source,
    r.balance, r.key_no, r.at, r.posted_by, r.number
  FROM unnest(row_guild_nos, row_account_nos, row_seqs, transaction_ids, amounts, quantities, totals, names, sources,
      outcome_balances, key_nos, row_ats, posted_bys, row_numbers)
    AS r (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source, balance, key_no, at,
      posted_by, number)
  WHERE r.seq IS NOT NULL;

  UPDATE guild_ledger SET last_number = m.last_number FROM unnest(guild_nos, last_numbers) AS m (guild_no, last_number)
  WHERE guild_ledger.guild_no = m.guild_no AND guild_ledger.last_number < m.last_number;

  IF cardinality(extra_of) > 0 THEN
    INSERT INTO ledger_extra (guild_no, number, reference, metadata, payment_id, reverses)
    SELECT row_guild_nos[e.post], row_numbers[e.post], e.reference, e.metadata, e.payment_id, e.reverses
    FROM unnest(extra_of, extra_references, extra_metadata, extra_payments, extra_reverses)
      AS e (post, reference, metadata, payment_id, reverses)
    WHERE row_numbers[e.post] IS NOT NULL;
  END IF;

  IF new_keys > 0 THEN
    INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq)
    SELECT r.guild_no, idempotency_keys[r.key], r.request_hash, r.account_no, r.seq
    FROM unnest(row_guild_nos, key_of, request_hashes, row_account_nos, row_seqs)
      AS r (guild_no, key, request_hash, account_no, seq)
    WHERE r.seq IS NOT NULL AND r.key > 0 ORDER BY r.guild_no, idempotency_keys[r.key] COLLATE "C"
    ON CONFLICT (guild_no, idempotency_key) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < new_keys THEN
      RAISE EXCEPTION 'an idempotency key was used elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  IF cardinality(limit_key_nos) > 0 THEN
    UPDATE key_limit SET day = m.day, withdrawn = least(m.withdrawn, 9007199254740991)
    FROM unnest(limit_guilds, limit_key_nos, limit_days, limit_withdrawn) AS m (guild, key_no, day, withdrawn)
    WHERE key_limit.guild_no = guild_nos[m.guild] AND key_limit.key_no = m.key_no;
  END IF;

  PERFORM add_ledger_sums(row_guild_nos, row_seqs, totals, sources, row_ats);
END $$;

-- Locks one guild's ledger until the end of the transaction and tells its last number; NULL when somebody else holds it and
-- the caller does not wait, or when there is no such guild. A guild that an instance of an older version made gets its row.
CREATE FUNCTION lock_ledger(the_guild_no bigint, waits boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  IF NOT waits THEN
    SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE SKIP LOCKED;
    RETURN last;
  END IF;
  SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE;
  IF last IS NULL AND EXISTS (SELECT 1 FROM guild g WHERE g.guild_no = the_guild_no) THEN
    INSERT INTO guild_ledger (guild_no) VALUES (the_guild_no) ON CONFLICT (guild_no) DO NOTHING;
    SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE;
  END IF;
  RETURN last;
END $$;

-- Adds transactions of one guild that were just inserted to the sums of their days, one row of sums at a time. A transaction
-- without a seq was not inserted. A source has a row of its own when it has one already or when there is room; otherwise
-- it shares the one of the empty name.
CREATE OR REPLACE FUNCTION add_daily_sums(
  the_guild_no bigint, seqs bigint[], totals bigint[], sources text[], created_ats bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sources_max CONSTANT bigint := 100;
  day_ms CONSTANT bigint := 86400000;
  sums record;
  place text;
BEGIN
  -- Division rounds towards zero, so that times before 1970 need the remainder taken away first.
  FOR sums IN
    SELECT (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, count(*) FILTER (WHERE r.seq = 1) AS opened,
      count(*) FILTER (WHERE r.total > 0) AS deposits, coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposited,
      count(*) FILTER (WHERE r.total < 0) AS withdrawals, coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawn
    FROM unnest(seqs, totals, created_ats) AS r (seq, total, at) WHERE r.seq IS NOT NULL GROUP BY 1 ORDER BY 1
  LOOP
    INSERT INTO guild_day AS known (guild_no, day, accounts_opened, deposit_count, deposit_units, withdrawal_count,
      withdrawal_units)
    VALUES (the_guild_no, sums.day, sums.opened, sums.deposits, sums.deposited, sums.withdrawals, sums.withdrawn)
    ON CONFLICT (guild_no, day) DO UPDATE SET
      accounts_opened = known.accounts_opened + excluded.accounts_opened,
      deposit_count = known.deposit_count + excluded.deposit_count,
      deposit_units = known.deposit_units + excluded.deposit_units,
      withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
      withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
  END LOOP;

  -- The ledger is ours, so that nobody else gives a source its place meanwhile.
  FOR sums IN
    SELECT (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, r.source COLLATE "C" AS source,
      count(*) FILTER (WHERE r.total > 0) AS deposits, coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposited,
      count(*) FILTER (WHERE r.total < 0) AS withdrawals, coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawn
    FROM unnest(seqs, totals, sources, created_ats) WITH ORDINALITY AS r (seq, total, source, at, place)
    WHERE r.seq IS NOT NULL GROUP BY 1, 2 ORDER BY 1, min(r.place)
  LOOP
    UPDATE guild_day_source AS known SET
      deposit_count = known.deposit_count + sums.deposits, deposit_units = known.deposit_units + sums.deposited,
      withdrawal_count = known.withdrawal_count + sums.withdrawals,
      withdrawal_units = known.withdrawal_units + sums.withdrawn
    WHERE known.guild_no = the_guild_no AND known.day = sums.day AND known.source = sums.source;
    IF NOT FOUND THEN
      SELECT CASE WHEN count(*) < sources_max THEN sums.source ELSE '' END INTO place FROM guild_day_source AS taken
      WHERE taken.guild_no = the_guild_no AND taken.day = sums.day AND taken.source > '';
      INSERT INTO guild_day_source AS known (guild_no, day, source, deposit_count, deposit_units, withdrawal_count,
        withdrawal_units)
      VALUES (the_guild_no, sums.day, place, sums.deposits, sums.deposited, sums.withdrawals, sums.withdrawn)
      ON CONFLICT (guild_no, day, source) DO UPDATE SET
        deposit_count = known.deposit_count + excluded.deposit_count,
        deposit_units = known.deposit_units + excluded.deposit_units,
        withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
        withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
    END IF;
  END LOOP;
END $$;

-- append_transactions for one guild of a distributed store, where it runs on the machine that has the guild's rows: each
-- statement names the guild by one value, and none needs another machine. The arguments behind the first two are the same. Numbers for new accounts come from the caller, one for each player,
-- because the machines have no sequence in common.
CREATE FUNCTION append_guild_transactions(
  the_guild_no bigint, new_account_nos bigint[],
  waits boolean, is_group boolean, has_group_key boolean,
  guild_nos bigint[], account_guilds int[], player_ids text[], key_guilds int[], idempotency_keys text[],
  account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  amounts bigint[], quantities bigint[], totals bigint[], names text[], sources text[],
  key_nos bigint[], created_ats bigint[], posted_bys text[], forced int[],
  extra_of int[], extra_references text[], extra_metadata text[], extra_payments text[], extra_reverses bigint[],
  limit_guilds int[], limit_key_nos bigint[], limit_of int[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[]
) LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_sort = off
SET enable_incremental_sort = off
SET jit = off
AS $$
DECLARE
  last bigint;
  last_numbers bigint[];
  may_overdraw boolean;
  account_nos bigint[]; balances bigint[]; counts bigint[]; counts_before bigint[]; last_ats bigint[]; floors bigint[];
  is_new boolean[];
  is_moved boolean[];
  first_hashes text[]; first_ids text[]; first_balances bigint[]; first_numbers bigint[];
  row_seqs bigint[]; row_ats bigint[]; row_numbers bigint[];
  row_account_nos bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  reverses_of bigint[] := row_account_nos;
  reversal_ids text[] := array_fill(NULL::text, ARRAY[cardinality(account_of)]);
  limit_amounts bigint[]; limit_days bigint[]; limit_withdrawals bigint[]; limit_withdrawn bigint[];
  new_count bigint; moved_count bigint; new_keys bigint; repeated_key int;
  written bigint;
BEGIN
  -- What a session between machines has not got. Both last until the end of the transaction.
  IF current_setting('synchronous_commit') <> 'on' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  -- Shared with all writers on this machine, and taken whole, on every machine, by the one who writes all or nothing.
  PERFORM pg_advisory_xact_lock_shared(1195526961, 1);

  last := lock_ledger(the_guild_no, waits);
  IF last IS NULL AND waits THEN
    RAISE EXCEPTION 'there is no such guild' USING ERRCODE = 'foreign_key_violation';
  ELSIF last IS NULL THEN
    outcomes := array_fill('busy'::text, ARRAY[cardinality(account_of)]);
    outcome_ids := reversal_ids;
    outcome_balances := reverses_of;
    RETURN;
  END IF;
  -- Everything is read after the lock, so that what its last holder wrote is seen.
  SELECT g.overdraft_allowed INTO may_overdraw FROM guild g WHERE g.guild_no = the_guild_no;
  SELECT array_agg(found.account_no), array_agg(coalesce(found.balance, 0)),
    array_agg(coalesce(found.transaction_count, 0)), array_agg(found.last_created_at), array_agg(found.floor)
  INTO account_nos, balances, counts, last_ats, floors
  FROM (
    SELECT held.* FROM unnest(player_ids) WITH ORDINALITY AS wanted (player_id, place)
    LEFT JOIN LATERAL (
      SELECT * FROM (
        SELECT o.player_id, o.account_no, o.balance, o.transaction_count, o.last_created_at, o.floor
        FROM account o WHERE o.guild_no = the_guild_no AND o.player_id >= wanted.player_id COLLATE "C"
        ORDER BY o.player_id LIMIT 1
      ) AS next WHERE next.player_id = wanted.player_id COLLATE "C"
    ) AS held ON true
    ORDER BY wanted.place
  ) AS found;
  counts_before := counts;
  IF cardinality(idempotency_keys) > 0 THEN
    SELECT array_agg(found.request_hash), array_agg(found.transaction_id), array_agg(found.balance_after),
      array_agg(found.number)
    INTO first_hashes, first_ids, first_balances, first_numbers
    FROM (
      SELECT used.request_hash, posted.transaction_id, posted.balance_after, posted.number
      FROM unnest(idempotency_keys) WITH ORDINALITY AS wanted (idempotency_key, place)
      LEFT JOIN LATERAL (SELECT i.* FROM idempotency i WHERE i.guild_no = the_guild_no
        AND i.idempotency_key = wanted.idempotency_key COLLATE "C" OFFSET 0) AS used ON true
      LEFT JOIN LATERAL (SELECT t.transaction_id, t.balance_after, t.number FROM ledger_transaction t
        WHERE t.guild_no = the_guild_no AND t.account_no = used.account_no AND t.seq >= used.seq
        ORDER BY t.seq LIMIT 1) AS posted ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;
  IF cardinality(extra_of) > 0 THEN
    FOR e IN 1 .. cardinality(extra_of) LOOP
      reverses_of[extra_of[e]] := extra_reverses[e];
    END LOOP;
    SELECT array_agg(found.transaction_id) INTO reversal_ids
    FROM (
      SELECT t.transaction_id FROM unnest(reverses_of) WITH ORDINALITY AS wanted (number, place)
      LEFT JOIN LATERAL (SELECT x.number FROM ledger_extra x
        WHERE x.guild_no = the_guild_no AND x.reverses = wanted.number OFFSET 0) AS reversal ON true
      LEFT JOIN LATERAL (SELECT o.transaction_id FROM ledger_transaction o
        WHERE o.guild_no = the_guild_no AND o.number = reversal.number OFFSET 0) AS t ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;

  -- A key that has lost its limits meanwhile has no row, and what is NULL limits nothing.
  IF cardinality(limit_key_nos) > 0 THEN
    SELECT array_agg(held.amount_max ORDER BY wanted.place), array_agg(held.withdrawn_per_day_max ORDER BY wanted.place),
      array_agg(held.day ORDER BY wanted.place), array_agg(held.withdrawn ORDER BY wanted.place)
    INTO limit_amounts, limit_withdrawals, limit_days, limit_withdrawn
    FROM unnest(limit_key_nos) WITH ORDINALITY AS wanted (key_no, place)
    LEFT JOIN LATERAL (SELECT o.* FROM key_limit o
      WHERE o.guild_no = the_guild_no AND o.key_no = wanted.key_no OFFSET 0) AS held ON true;
  END IF;

  SELECT d.* INTO limit_days, limit_withdrawn, balances, counts, last_ats, last_numbers, outcomes, outcome_ids, outcome_balances, row_seqs, row_ats,
    row_numbers, is_moved, moved_count, new_keys, repeated_key
  FROM decide_posts(is_group, has_group_key, ARRAY[true], ARRAY[may_overdraw], floors, account_guilds, account_of, key_of,
    request_hashes, transaction_ids, totals, created_ats, forced, reverses_of, reversal_ids, first_hashes, first_ids,
    first_balances, limit_of, limit_amounts, limit_withdrawals, limit_days, limit_withdrawn, balances, counts, last_ats,
    ARRAY[last]) AS d;
  IF repeated_key IS NOT NULL THEN
    SELECT array_agg('replayed'::text), array_agg(t.transaction_id ORDER BY t.number),
      array_agg(t.balance_after ORDER BY t.number)
    INTO outcomes, outcome_ids, outcome_balances FROM ledger_transaction t
    WHERE t.guild_no = the_guild_no AND t.number >= first_numbers[repeated_key]
      AND t.number < first_numbers[repeated_key] + cardinality(account_of);
    RETURN;
  END IF;
  IF moved_count = 0 THEN
    RETURN;
  END IF;

  is_new := array_fill(false, ARRAY[cardinality(player_ids)]);
  FOR a IN 1 .. cardinality(player_ids) LOOP
    IF is_moved[a] AND account_nos[a] IS NULL THEN
      is_new[a] := true;
      account_nos[a] := new_account_nos[a];
    END IF;
  END LOOP;
  FOR p IN 1 .. cardinality(account_of) LOOP
    IF row_seqs[p] IS NOT NULL THEN
      row_account_nos[p] := account_nos[account_of[p]];
    END IF;
  END LOOP;

  -- Rows that come beside the guild's own row go where that one is, without a way through another machine.
  new_count := cardinality(array_positions(is_new, true));
  IF new_count > 0 THEN
    INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
    SELECT own.guild_no, n.account_no, n.player_id, n.balance, n.count, n.last_at
    FROM guild_ledger own CROSS JOIN unnest(is_new, account_nos, player_ids, balances, counts, last_ats)
      AS n (is_new, account_no, player_id, balance, count, last_at)
    WHERE own.guild_no = the_guild_no AND n.is_new;
  END IF;
  IF moved_count > new_count THEN
    UPDATE account SET balance = m.balance, transaction_count = m.count, last_created_at = m.last_at
    FROM unnest(is_moved, is_new, account_nos, balances, counts, counts_before, last_ats)
      AS m (is_moved, is_new, account_no, balance, count, count_before, last_at)
    WHERE account.guild_no = the_guild_no AND m.is_moved AND NOT m.is_new AND account.account_no = m.account_no
      AND account.transaction_count = m.count_before;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < moved_count - new_count THEN
      RAISE EXCEPTION 'an account was moved elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
    balance_after, key_no, created_at, posted_by, number)
  SELECT own.guild_no, r.account_no, r.seq, r.transaction_id, r.amount, r.quantity, r.total, r.name, r.source,
    r.balance, r.key_no, r.at, r.posted_by, r.number
  FROM guild_ledger own CROSS JOIN unnest(row_account_nos, row_seqs, transaction_ids, amounts, quantities, totals, names,
      sources, outcome_balances, key_nos, row_ats, posted_bys, row_numbers)
    AS r (account_no, seq, transaction_id, amount, quantity, total, name, source, balance, key_no, at, posted_by, number)
  WHERE own.guild_no = the_guild_no AND r.seq IS NOT NULL;
  IF cardinality(extra_of) > 0 THEN
    INSERT INTO ledger_extra (guild_no, number, reference, metadata, payment_id, reverses)
    SELECT own.guild_no, row_numbers[e.post], e.reference, e.metadata, e.payment_id, e.reverses
    FROM guild_ledger own CROSS JOIN unnest(extra_of, extra_references, extra_metadata, extra_payments, extra_reverses)
      AS e (post, reference, metadata, payment_id, reverses)
    WHERE own.guild_no = the_guild_no AND row_numbers[e.post] IS NOT NULL;
  END IF;
  IF new_keys > 0 THEN
    INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq)
    SELECT own.guild_no, idempotency_keys[r.key], r.request_hash, r.account_no, r.seq
    FROM guild_ledger own CROSS JOIN unnest(key_of, request_hashes, row_account_nos, row_seqs)
      AS r (key, request_hash, account_no, seq)
    WHERE own.guild_no = the_guild_no AND r.seq IS NOT NULL AND r.key > 0;
  END IF;
  IF cardinality(limit_key_nos) > 0 THEN
    UPDATE key_limit SET day = m.day, withdrawn = least(m.withdrawn, 9007199254740991)
    FROM unnest(limit_key_nos, limit_days, limit_withdrawn) AS m (key_no, day, withdrawn)
    WHERE key_limit.guild_no = the_guild_no AND key_limit.key_no = m.key_no;
  END IF;
  -- From a plain variable: Citus 13.2 does not survive an element of an array in SET.
  last := last_numbers[1];
  UPDATE guild_ledger AS own SET last_number = last WHERE own.guild_no = the_guild_no;
  PERFORM add_daily_sums(the_guild_no, row_seqs, totals, sources, row_ats);
END $$;

-- What a person posts by hand, with its entries in the guild's log: entry_details has one for each post. It takes the log's
-- lock before the ledger's, as every audited write does. One statement, so that it too runs where the guild's rows are.
CREATE FUNCTION append_correction(
  the_guild_no bigint, entry_at bigint, entry_actor text, entry_details text[], new_account_nos bigint[],
  waits boolean, is_group boolean, has_group_key boolean,
  guild_nos bigint[], account_guilds int[], player_ids text[], key_guilds int[], idempotency_keys text[],
  account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  amounts bigint[], quantities bigint[], totals bigint[], names text[], sources text[],
  key_nos bigint[], created_ats bigint[], posted_bys text[], forced int[],
  extra_of int[], extra_references text[], extra_metadata text[], extra_payments text[], extra_reverses bigint[],
  limit_guilds int[], limit_key_nos bigint[], limit_of int[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  last_entry bigint;
  posted_ids text[] := '{}';
  posted_details text[] := '{}';
BEGIN
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  -- Before all other locks, because whoever has it whole may wait for any of them.
  PERFORM pg_advisory_xact_lock_shared(1195526961, 1);
  SELECT c.last_entry_no INTO last_entry FROM audit_counter c WHERE c.guild_no = the_guild_no FOR UPDATE;
  IF last_entry IS NULL THEN
    RAISE EXCEPTION 'a guild without a log cannot be written to';
  END IF;
  SELECT a.* INTO outcomes, outcome_ids, outcome_balances FROM append_guild_transactions(the_guild_no, new_account_nos,
    waits, is_group, has_group_key, guild_nos, account_guilds, player_ids, key_guilds, idempotency_keys, account_of, key_of,
    request_hashes, transaction_ids, amounts, quantities, totals, names, sources, key_nos, created_ats, posted_bys, forced,
    extra_of, extra_references, extra_metadata, extra_payments, extra_reverses, limit_guilds, limit_key_nos, limit_of) AS a;
  FOR p IN 1 .. cardinality(account_of) LOOP
    IF outcomes[p] = 'posted' THEN
      posted_ids := posted_ids || transaction_ids[p];
      posted_details := posted_details || entry_details[p];
    END IF;
  END LOOP;
  IF cardinality(posted_ids) > 0 THEN
    INSERT INTO audit_entry (guild_no, entry_no, created_at, actor_kind, actor_id, action, subject_kind, subject_id, detail)
    SELECT own.guild_no, last_entry + e.place, entry_at, 'user', entry_actor, 'create', 'transaction', e.id, e.detail
    FROM audit_counter own CROSS JOIN unnest(posted_ids, posted_details) WITH ORDINALITY AS e (id, detail, place)
    WHERE own.guild_no = the_guild_no;
    last_entry := last_entry + cardinality(posted_ids);
    UPDATE audit_counter AS own SET last_entry_no = last_entry WHERE own.guild_no = the_guild_no;
  END IF;
END $$;

-- Keeps all other writers out of this machine until the end of the transaction, as the shared lock of each lets it.
CREATE FUNCTION hold_writers() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  PERFORM pg_advisory_xact_lock(1195526961, 1);
  RETURN true;
END $$;
