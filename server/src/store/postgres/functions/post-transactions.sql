-- Writes a batch of posts in one statement, hence in one round trip and one transaction. It locks the ledgers of its guilds
-- first: with `waits` it waits for them, otherwise the posts of a guild that another transaction has locked are left out as
-- `busy`. It waits for nothing else. Posts are then taken in the order given, by the rules of decide_posts; a refused one has
-- no effect on the others. Each gets its guild's next number. Planner settings as in lock_ledgers.
--
-- Guilds ascend; guilds, players and keys come without repeats. account_of and key_of have, for each post, the position of its
-- player and its key, counted from 1; key_of is 0 for a post without a key. account_guilds and key_guilds have, in the same way,
-- the guild of each player and each key. `forced` are the posts that may go below every floor, and extra_of the posts with a
-- reference, metadata, a payment or a reversal, which the arrays after it hold. limit_guilds and limit_key_nos are the limited
-- keys among those that post, without repeats, and limit_of has the position of each post's own; it is empty when none is limited.
--
-- group_of has, for each post, the position of the request that it belongs to, counted from 1, or 0 for a single post; it is empty
-- when all are single posts. The posts of a group follow one another and are of one guild. They are written together or not at
-- all: when one is refused, the others are `skipped`. In a keyed group the first post's key is that of the whole
-- group. A repeat returns all outcomes again, which are found by number: the numbers of such a group follow one another.
-- group_batches has the position of the key of each group's batch in batch_keys, or 0, and group_hashes the hash that has to
-- belong to it; otherwise the outcome of each post is `batch_mismatch`.
--
-- row_numbers and row_ats are the number and the time of each post that was written. row_ats is empty when the times are those that were
-- given, because parsing an array costs the client time.
CREATE OR REPLACE FUNCTION post_transactions(
  waits boolean,
  group_of int[], group_keyed boolean[], group_batches int[], group_hashes text[],
  batch_guilds int[], batch_keys text[],
  guild_nos bigint[], account_guilds int[], player_ids text[], key_guilds int[], idempotency_keys text[],
  account_of int[], key_of int[], request_hashes text[], transaction_ids text[],
  amounts bigint[], quantities bigint[], totals bigint[], names text[], sources text[],
  key_nos bigint[], created_ats bigint[], posted_bys text[], forced int[],
  extra_of int[], extra_references text[], extra_metadata text[], extra_payments text[], extra_reverses bigint[],
  limit_guilds int[], limit_key_nos bigint[], limit_of int[],
  OUT outcomes text[], OUT outcome_ids text[], OUT outcome_balances bigint[],
  OUT row_numbers bigint[], OUT row_ats bigint[]
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
  repeat_numbers bigint[];
  batch_hashes text[]; held_hashes text[];
  reverses_of bigint[] := row_guild_nos;
  reversal_ids text[];
  limit_amounts bigint[]; limit_days bigint[]; limit_withdrawals bigint[]; limit_withdrawn bigint[];
  a int;
  new_count bigint := 0; moved_count bigint; new_keys bigint; new_batches bigint; repeats bigint;
  written bigint;
BEGIN
  -- A session behind a pooler does not have these settings. Both last until the end of the transaction.
  IF current_setting('synchronous_commit') <> 'on' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '4s', true);
  END IF;
  -- Shared by all writers. hold_writers takes it exclusively.
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

  -- The ORDER BY makes PostgreSQL use the index by player. Without it a plan made while the table is empty may use any
  -- index on the guild.
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

  IF cardinality(batch_keys) > 0 THEN
    SELECT array_agg(held.request_hash ORDER BY wanted.place) INTO held_hashes
    FROM unnest(batch_guilds, batch_keys) WITH ORDINALITY AS wanted (guild, batch_key, place)
    LEFT JOIN LATERAL (SELECT o.request_hash FROM batch_request o
      WHERE o.guild_no = guild_nos[wanted.guild] AND o.batch_key = wanted.batch_key COLLATE "C" OFFSET 0) AS held ON true;
    batch_hashes := held_hashes;
  END IF;

  -- A key whose limits were removed meanwhile has no row. NULL is no limit.
  IF cardinality(limit_key_nos) > 0 THEN
    SELECT array_agg(held.amount_max ORDER BY wanted.place), array_agg(held.withdrawn_per_day_max ORDER BY wanted.place),
      array_agg(held.day ORDER BY wanted.place), array_agg(held.withdrawn ORDER BY wanted.place)
    INTO limit_amounts, limit_withdrawals, limit_days, limit_withdrawn
    FROM unnest(limit_guilds, limit_key_nos) WITH ORDINALITY AS wanted (guild, key_no, place)
    LEFT JOIN LATERAL (SELECT o.* FROM key_limit o
      WHERE o.guild_no = guild_nos[wanted.guild] AND o.key_no = wanted.key_no OFFSET 0) AS held ON true;
  END IF;

  SELECT d.* INTO limit_days, limit_withdrawn, batch_hashes, balances, counts, last_ats, last_numbers, outcomes,
    outcome_ids, outcome_balances, row_seqs, row_ats, row_numbers, repeat_numbers, is_moved, moved_count, new_keys,
    new_batches, repeats
  FROM decide_posts(group_of, group_keyed, group_batches, group_hashes, is_locked,
    may_overdraw, floors, account_guilds, account_of, key_of,
    request_hashes, transaction_ids, totals, created_ats, forced, reverses_of, reversal_ids, first_hashes, first_ids,
    first_balances, first_numbers, limit_of, limit_amounts, limit_withdrawals, limit_days, limit_withdrawn, batch_hashes,
    balances, counts, last_ats, last_numbers) AS d;
  IF repeats > 0 THEN
    SELECT array_agg(coalesce(found.transaction_id, found.id)), array_agg(coalesce(found.balance_after, found.balance))
    INTO outcome_ids, outcome_balances
    FROM (
      SELECT wanted.id, wanted.balance, first.transaction_id, first.balance_after
      FROM unnest(repeat_numbers, account_of, outcome_ids, outcome_balances) WITH ORDINALITY
        AS wanted (number, account, id, balance, place)
      LEFT JOIN LATERAL (SELECT t.transaction_id, t.balance_after FROM ledger_transaction t
        WHERE t.guild_no = guild_nos[account_guilds[wanted.account]] AND t.number = wanted.number OFFSET 0) AS first ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;
  -- A batch that is claimed alone takes no lock of the ledger. When it was quicker, the caller tries again.
  IF new_batches > 0 THEN
    INSERT INTO batch_request (guild_no, batch_key, request_hash)
    SELECT guild_nos[b.guild], b.batch_key, b.request_hash
    FROM unnest(batch_guilds, batch_keys, batch_hashes, held_hashes) AS b (guild, batch_key, request_hash, held_hash)
    WHERE b.request_hash IS NOT NULL AND b.held_hash IS NULL ORDER BY b.guild, b.batch_key COLLATE "C"
    ON CONFLICT (guild_no, batch_key) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < new_batches THEN
      RAISE EXCEPTION 'the key of a batch was used elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
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

  -- An instance of version 0.1 imports without the ledger's lock. When it was quicker, the caller tries again.
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
  -- By the row's ctid, which needs no index. When the row has moved, no row matches.
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
  IF row_ats = created_ats THEN
    row_ats := '{}';
  END IF;
END $$;
