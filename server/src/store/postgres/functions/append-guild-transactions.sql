-- Like post_transactions, for one guild of a distributed store. It runs on the machine that has the guild's rows: each
-- statement compares the guild with one value, and none needs another machine. The arguments after the first two are the
-- same. The caller passes numbers for new accounts, one for each player, because the machines have no sequence in common.
CREATE OR REPLACE FUNCTION append_guild_transactions(
  the_guild_no bigint, new_account_nos bigint[],
  waits boolean,
  group_of int[], group_keyed boolean[], group_batches int[], group_hashes text[],
  batch_guilds int[], batch_keys text[],
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
  row_seqs bigint[]; row_ats bigint[]; row_numbers bigint[]; repeat_numbers bigint[];
  batch_hashes text[]; held_hashes text[];
  row_account_nos bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  reverses_of bigint[] := row_account_nos;
  reversal_ids text[] := array_fill(NULL::text, ARRAY[cardinality(account_of)]);
  limit_amounts bigint[]; limit_days bigint[]; limit_withdrawals bigint[]; limit_withdrawn bigint[];
  new_count bigint; moved_count bigint; new_keys bigint; new_batches bigint; repeats bigint;
  written bigint;
BEGIN
  -- A session between machines does not have these settings. Both last until the end of the transaction.
  IF current_setting('synchronous_commit') <> 'on' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '4s', true);
  END IF;
  -- Shared by all writers on this machine. hold_writers takes it exclusively, on every machine.
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

  IF cardinality(batch_keys) > 0 THEN
    SELECT array_agg(held.request_hash ORDER BY wanted.place) INTO held_hashes
    FROM unnest(batch_keys) WITH ORDINALITY AS wanted (batch_key, place)
    LEFT JOIN LATERAL (SELECT o.request_hash FROM batch_request o
      WHERE o.guild_no = the_guild_no AND o.batch_key = wanted.batch_key COLLATE "C" OFFSET 0) AS held ON true;
    batch_hashes := held_hashes;
  END IF;

  -- A key whose limits were removed meanwhile has no row. NULL is no limit.
  IF cardinality(limit_key_nos) > 0 THEN
    SELECT array_agg(held.amount_max ORDER BY wanted.place), array_agg(held.withdrawn_per_day_max ORDER BY wanted.place),
      array_agg(held.day ORDER BY wanted.place), array_agg(held.withdrawn ORDER BY wanted.place)
    INTO limit_amounts, limit_withdrawals, limit_days, limit_withdrawn
    FROM unnest(limit_key_nos) WITH ORDINALITY AS wanted (key_no, place)
    LEFT JOIN LATERAL (SELECT o.* FROM key_limit o
      WHERE o.guild_no = the_guild_no AND o.key_no = wanted.key_no OFFSET 0) AS held ON true;
  END IF;

  SELECT d.* INTO limit_days, limit_withdrawn, batch_hashes, balances, counts, last_ats, last_numbers, outcomes,
    outcome_ids, outcome_balances, row_seqs, row_ats, row_numbers, repeat_numbers, is_moved, moved_count, new_keys,
    new_batches, repeats
  FROM decide_posts(group_of, group_keyed, group_batches, group_hashes, ARRAY[true],
    ARRAY[may_overdraw], floors, account_guilds, account_of, key_of,
    request_hashes, transaction_ids, totals, created_ats, forced, reverses_of, reversal_ids, first_hashes, first_ids,
    first_balances, first_numbers, limit_of, limit_amounts, limit_withdrawals, limit_days, limit_withdrawn, batch_hashes,
    balances, counts, last_ats, ARRAY[last]) AS d;
  IF repeats > 0 THEN
    SELECT array_agg(coalesce(found.transaction_id, found.id)), array_agg(coalesce(found.balance_after, found.balance))
    INTO outcome_ids, outcome_balances
    FROM (
      SELECT wanted.id, wanted.balance, first.transaction_id, first.balance_after
      FROM unnest(repeat_numbers, outcome_ids, outcome_balances) WITH ORDINALITY
        AS wanted (number, id, balance, place)
      LEFT JOIN LATERAL (SELECT t.transaction_id, t.balance_after FROM ledger_transaction t
        WHERE t.guild_no = the_guild_no AND t.number = wanted.number OFFSET 0) AS first ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;
  -- A batch that is claimed alone takes no lock of the ledger. When it was quicker, the caller tries again.
  IF new_batches > 0 THEN
    INSERT INTO batch_request (guild_no, batch_key, request_hash)
    SELECT own.guild_no, b.batch_key, b.request_hash
    FROM guild_ledger own CROSS JOIN unnest(batch_keys, batch_hashes, held_hashes) AS b (batch_key, request_hash, held_hash)
    WHERE own.guild_no = the_guild_no AND b.request_hash IS NOT NULL AND b.held_hash IS NULL
    ON CONFLICT (guild_no, batch_key) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < new_batches THEN
      RAISE EXCEPTION 'the key of a batch was used elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
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

  -- The join with the guild's own row lets Citus insert on the machine that has it, without another machine.
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
  -- A plain variable, because Citus 13.2 crashes on an array element in SET.
  last := last_numbers[1];
  UPDATE guild_ledger AS own SET last_number = last WHERE own.guild_no = the_guild_no;
  PERFORM add_daily_sums(the_guild_no, row_seqs, totals, sources, row_ats);
END $$;
