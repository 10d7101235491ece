-- A batch of one guild's posts in one statement, hence in one round trip and one transaction. Each account is locked once
-- and in the order of player ids, new accounts and idempotency keys are inserted in their order too, and always in
-- this sequence: so no two batches can wait for each other. The sums of the day come last, because all of a guild's posts
-- meet there. Posts are then taken in the order given, each by the same
-- rules as on the embedded store; a refused one leaves its neighbours alone.
--
-- Players and keys come without repeats; account_of and key_of say for each post which of them are its own, counted
-- from 1, and key_of is 0 for a post without a key.
CREATE FUNCTION append_posts(
  the_guild_no bigint,
  player_ids text[],
  idempotency_keys text[],
  account_of int[],
  key_of int[],
  request_hashes text[],
  transaction_ids text[],
  amounts bigint[],
  quantities bigint[],
  totals bigint[],
  names text[],
  sources text[],
  key_nos bigint[],
  created_ats bigint[],
  posted_bys text[],
  OUT outcomes text[],
  OUT outcome_ids text[],
  OUT outcome_balances bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  units_max CONSTANT bigint := 9007199254740991;
  found_row record;
  overdraft_allowed boolean;
  account_nos bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(player_ids)]);
  balances bigint[] := array_fill(0::bigint, ARRAY[cardinality(player_ids)]);
  counts bigint[] := array_fill(0::bigint, ARRAY[cardinality(player_ids)]);
  last_ats bigint[] := array_fill(0::bigint, ARRAY[cardinality(player_ids)]);
  is_new boolean[] := array_fill(false, ARRAY[cardinality(player_ids)]);
  is_moved boolean[] := array_fill(false, ARRAY[cardinality(player_ids)]);
  first_hashes text[] := array_fill(NULL::text, ARRAY[cardinality(idempotency_keys)]);
  first_ids text[] := array_fill(NULL::text, ARRAY[cardinality(idempotency_keys)]);
  first_balances bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(idempotency_keys)]);
  row_account_nos bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  row_seqs bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  row_ats bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(account_of)]);
  a int;
  k int;
  new_balance bigint;
  new_count bigint := 0;
  new_keys bigint := 0;
  written bigint;
BEGIN
  -- Shared with all writers, and taken whole by the one who writes all or nothing.
  PERFORM pg_advisory_xact_lock_shared(1195526961, 1);

  outcomes := array_fill(NULL::text, ARRAY[cardinality(account_of)]);
  outcome_ids := outcomes;
  outcome_balances := row_seqs;

  SELECT g.overdraft_allowed INTO overdraft_allowed FROM guild g WHERE g.guild_no = the_guild_no;

  FOR found_row IN
    SELECT wanted.position, held.account_no, held.balance, held.transaction_count, held.last_created_at
    FROM unnest(player_ids) WITH ORDINALITY AS wanted (player_id, position)
    JOIN account held ON held.guild_no = the_guild_no AND held.player_id = wanted.player_id COLLATE "C"
    ORDER BY held.player_id FOR NO KEY UPDATE OF held
  LOOP
    a := found_row.position;
    account_nos[a] := found_row.account_no;
    balances[a] := found_row.balance;
    counts[a] := found_row.transaction_count;
    last_ats[a] := found_row.last_created_at;
  END LOOP;

  -- After the locks, so that a key used by whoever held them just before is seen.
  IF cardinality(idempotency_keys) > 0 THEN
    FOR found_row IN
      SELECT wanted.position, i.request_hash, t.transaction_id, t.balance_after
      FROM unnest(idempotency_keys) WITH ORDINALITY AS wanted (idempotency_key, position)
      JOIN idempotency i ON i.guild_no = the_guild_no AND i.idempotency_key = wanted.idempotency_key COLLATE "C"
      JOIN ledger_transaction t ON t.guild_no = the_guild_no AND t.account_no = i.account_no AND t.seq = i.seq
    LOOP
      k := found_row.position;
      first_hashes[k] := found_row.request_hash;
      first_ids[k] := found_row.transaction_id;
      first_balances[k] := found_row.balance_after;
    END LOOP;
  END IF;

  FOR p IN 1 .. cardinality(account_of) LOOP
    k := key_of[p];
    IF k > 0 AND first_hashes[k] IS NOT NULL THEN
      IF first_hashes[k] = request_hashes[p] THEN
        outcomes[p] := 'replayed';
        outcome_ids[p] := first_ids[k];
        outcome_balances[p] := first_balances[k];
      ELSE
        outcomes[p] := 'idempotency_mismatch';
      END IF;
      CONTINUE;
    END IF;
    a := account_of[p];
    new_balance := balances[a] + totals[p];
    IF new_balance > units_max OR new_balance < -units_max THEN
      outcomes[p] := 'balance_out_of_range';
      CONTINUE;
    END IF;
    IF totals[p] < 0 AND new_balance < 0 AND NOT overdraft_allowed THEN
      outcomes[p] := 'overdraft';
      CONTINUE;
    END IF;
    IF account_nos[a] IS NULL THEN
      account_nos[a] := nextval('account_number');
      is_new[a] := true;
      new_count := new_count + 1;
    END IF;
    is_moved[a] := true;
    balances[a] := new_balance;
    counts[a] := counts[a] + 1;
    last_ats[a] := greatest(last_ats[a], created_ats[p]);
    row_account_nos[p] := account_nos[a];
    row_seqs[p] := counts[a];
    row_ats[p] := last_ats[a];
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

  IF new_count > 0 THEN
    INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
    SELECT the_guild_no, n.account_no, n.player_id, n.balance, n.count, n.last_at
    FROM unnest(is_new, account_nos, player_ids, balances, counts, last_ats)
      AS n (is_new, account_no, player_id, balance, count, last_at)
    WHERE n.is_new ORDER BY n.player_id COLLATE "C"
    ON CONFLICT (guild_no, player_id) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    -- Somebody opened one of them since we looked. The caller comes again, and finds it.
    IF written < new_count THEN
      RAISE EXCEPTION 'an account was opened elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  UPDATE account SET balance = m.balance, transaction_count = m.count, last_created_at = m.last_at
  FROM unnest(is_moved, is_new, account_nos, balances, counts, last_ats)
    AS m (is_moved, is_new, account_no, balance, count, last_at)
  WHERE m.is_moved AND NOT m.is_new AND account.guild_no = the_guild_no AND account.account_no = m.account_no;

  INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
    balance_after, key_no, created_at, posted_by)
  SELECT the_guild_no, r.account_no, r.seq, r.transaction_id, r.amount, r.quantity, r.total, r.name, r.source,
    r.balance, r.key_no, r.at, r.posted_by
  FROM unnest(row_account_nos, row_seqs, transaction_ids, amounts, quantities, totals, names, sources,
      outcome_balances, key_nos, row_ats, posted_bys)
    AS r (account_no, seq, transaction_id, amount, quantity, total, name, source, balance, key_no, at, posted_by)
  WHERE r.seq IS NOT NULL;

  IF new_keys > 0 THEN
    INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq)
    SELECT the_guild_no, idempotency_keys[r.key], r.request_hash, r.account_no, r.seq
    FROM unnest(key_of, request_hashes, row_account_nos, row_seqs) AS r (key, request_hash, account_no, seq)
    WHERE r.seq IS NOT NULL AND r.key > 0 ORDER BY idempotency_keys[r.key] COLLATE "C"
    ON CONFLICT (guild_no, idempotency_key) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < new_keys THEN
      RAISE EXCEPTION 'an idempotency key was used elsewhere meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  PERFORM add_daily_sums(the_guild_no, row_seqs, totals, sources, row_ats);
END $$;
