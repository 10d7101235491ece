-- Posts of a person, with their entries in the guild's log: entry_details has one for each post. It locks the log before the
-- ledger, as every audited write does. One statement, so that it too runs on the machine that has the guild's rows.
CREATE OR REPLACE FUNCTION append_correction(
  the_guild_no bigint, entry_at bigint, entry_actor text, entry_details text[], new_account_nos bigint[],
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
) LANGUAGE plpgsql AS $$
DECLARE
  last_entry bigint;
  posted_ids text[] := '{}';
  posted_details text[] := '{}';
BEGIN
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '4s', true);
  END IF;
  -- Before all other locks, because a writer that holds it exclusively may wait for any of them.
  PERFORM pg_advisory_xact_lock_shared(1195526961, 1);
  SELECT c.last_entry_no INTO last_entry FROM audit_counter c WHERE c.guild_no = the_guild_no FOR UPDATE;
  IF last_entry IS NULL THEN
    RAISE EXCEPTION 'a guild without a log cannot be written to';
  END IF;
  SELECT a.* INTO outcomes, outcome_ids, outcome_balances FROM append_guild_transactions(the_guild_no, new_account_nos,
    waits, group_of, group_keyed, group_batches, group_hashes, batch_guilds, batch_keys,
    guild_nos, account_guilds, player_ids, key_guilds, idempotency_keys, account_of, key_of,
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
