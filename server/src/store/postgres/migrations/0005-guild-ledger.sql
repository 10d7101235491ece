-- What writers of the ledger share, so that posts of many guilds can go into one statement: a row to lock for each guild,
-- references without a check of each row, and the sums of many guilds' days.
--
-- A connection keeps the plans of a function for its life, also those made while the tables were empty. So that they are
-- right whatever the tables hold: look-ups are lateral, each by one index; where several indexes begin alike, the order
-- that is asked for leaves one of them; and each function brings the planner settings along, which also keeps it from
-- planning anew at each call. A session behind a pooler has no settings of its own.

-- Whoever writes into a guild's ledger holds this row: posts, corrections, imports. Everything else of the ledger is
-- then theirs alone, so that they wait for one another here or nowhere. A guild gets it when it is made.
CREATE TABLE guild_ledger (
  guild_no bigint NOT NULL PRIMARY KEY
) WITH (fillfactor = 50);
INSERT INTO guild_ledger (guild_no) SELECT guild_no FROM guild ORDER BY guild_no;

-- The writers of the ledger read a guild or an account before they point to it, in the same transaction; what could break
-- a reference afterwards is taking away or renumbering what it points to. That is refused by the statement, which costs a
-- post nothing, where checking each row took a third of its time. "guildbook verify" looks for rows that point nowhere.
ALTER TABLE account DROP CONSTRAINT account_guild_no_fkey;
ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_guild_no_account_no_fkey;
ALTER TABLE idempotency DROP CONSTRAINT idempotency_guild_no_account_no_seq_fkey;
ALTER TABLE guild_day DROP CONSTRAINT guild_day_guild_no_fkey;
ALTER TABLE guild_day_source DROP CONSTRAINT guild_day_source_guild_no_fkey;
CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the rows of % are neither removed nor renumbered', TG_TABLE_NAME;
END $$;
CREATE TRIGGER guild_stays BEFORE DELETE OR TRUNCATE OR UPDATE OF guild_no ON guild
FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE OR UPDATE OF guild_no, account_no, player_id ON account
FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER transaction_stays BEFORE DELETE OR TRUNCATE OR UPDATE OF guild_no, account_no, seq ON ledger_transaction
FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

-- Locks the ledgers of guilds until the end of the transaction, in the order given, which ascends. Says for each whether
-- it is locked: with `waits` all that exist are, otherwise not those that somebody else holds, nor those of guilds that an
-- instance of the version before made. Whoever waits gives them their row.
CREATE FUNCTION lock_ledgers(guild_nos bigint[], waits boolean) RETURNS boolean[] LANGUAGE plpgsql
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
  locked boolean[];
BEGIN
  IF NOT waits THEN
    SELECT array_agg(held.guild_no IS NOT NULL ORDER BY wanted.place) INTO locked
    FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT l.guild_no FROM guild_ledger l WHERE l.guild_no = wanted.guild_no
      FOR NO KEY UPDATE SKIP LOCKED) AS held ON true;
    RETURN locked;
  END IF;
  FOR attempt IN 1 .. 2 LOOP
    SELECT array_agg(held.guild_no IS NOT NULL ORDER BY wanted.place) INTO locked
    FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT l.guild_no FROM guild_ledger l WHERE l.guild_no = wanted.guild_no
      FOR NO KEY UPDATE) AS held ON true;
    EXIT WHEN NOT false = ANY (locked);
    INSERT INTO guild_ledger (guild_no)
    SELECT known.guild_no FROM unnest(guild_nos) AS wanted (guild_no)
    CROSS JOIN LATERAL (SELECT g.guild_no FROM guild g WHERE g.guild_no = wanted.guild_no OFFSET 0) AS known
    ORDER BY known.guild_no ON CONFLICT (guild_no) DO NOTHING;
  END LOOP;
  RETURN locked;
END $$;

-- Adds transactions that were just inserted to the sums of their days. A transaction without a seq was not inserted.
-- Belongs into their commit, behind everything else; guilds, days and sources are taken in order.
CREATE FUNCTION add_ledger_sums(
  guild_nos bigint[],
  seqs bigint[],
  totals bigint[],
  sources text[],
  created_ats bigint[]
) RETURNS void LANGUAGE plpgsql
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
  sources_max CONSTANT bigint := 100;
  day_ms CONSTANT bigint := 86400000;
BEGIN
  -- Division rounds towards zero, so that times before 1970 need the remainder taken away first.
  INSERT INTO guild_day AS known (guild_no, day, accounts_opened, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT r.guild_no, (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day,
    count(*) FILTER (WHERE r.seq = 1),
    count(*) FILTER (WHERE r.total > 0), coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0),
    count(*) FILTER (WHERE r.total < 0), coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0)
  FROM unnest(guild_nos, seqs, totals, created_ats) AS r (guild_no, seq, total, at)
  WHERE r.seq IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (guild_no, day) DO UPDATE SET
    accounts_opened = known.accounts_opened + excluded.accounts_opened,
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;

  -- The day's row is ours from here on, so that nobody else gives a source its place meanwhile. A source has a row of
  -- its own when it has one already or when there is room; otherwise it shares the last one.
  INSERT INTO guild_day_source AS known (guild_no, day, source, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT placed.guild_no, placed.day, placed.name COLLATE "C", sum(placed.deposit_count), sum(placed.deposit_units),
    sum(placed.withdrawal_count), sum(placed.withdrawal_units)
  FROM (
    SELECT moved.*, CASE
        WHEN moved.is_known THEN moved.source
        WHEN row_number() OVER (PARTITION BY moved.guild_no, moved.day, moved.is_known ORDER BY moved.first)
          + (SELECT count(*) FROM guild_day_source n
             WHERE n.guild_no = moved.guild_no AND n.day = moved.day AND n.source > '') <= sources_max
          THEN moved.source
        ELSE ''
      END AS name
    FROM (
      SELECT summed.*, present.source IS NOT NULL AS is_known
      FROM (
        SELECT r.guild_no, (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, r.source COLLATE "C" AS source,
          min(r.place) AS first,
          count(*) FILTER (WHERE r.total > 0) AS deposit_count,
          coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposit_units,
          count(*) FILTER (WHERE r.total < 0) AS withdrawal_count,
          coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawal_units
        FROM unnest(guild_nos, seqs, totals, sources, created_ats) WITH ORDINALITY
          AS r (guild_no, seq, total, source, at, place)
        WHERE r.seq IS NOT NULL GROUP BY 1, 2, 3
      ) AS summed
      LEFT JOIN LATERAL (SELECT k.source FROM guild_day_source k WHERE k.guild_no = summed.guild_no
        AND k.day = summed.day AND k.source = summed.source OFFSET 0) AS present ON true
    ) AS moved
  ) AS placed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (guild_no, day, source) DO UPDATE SET
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
END $$;

-- What imports call, and instances of the version before: one guild at a time.
CREATE OR REPLACE FUNCTION add_daily_sums(
  the_guild_no bigint,
  seqs bigint[],
  totals bigint[],
  sources text[],
  created_ats bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_ledger_sums(array_fill(the_guild_no, ARRAY[cardinality(seqs)]), seqs, totals, sources, created_ats);
END $$;
