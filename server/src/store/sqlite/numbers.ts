import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

/** Numbers transactions. Each commit reads the last number of a guild once, and writes it once. */
export function createNumbers(db: DatabaseSync) {
  const last = new Map<number, number>();
  const find = prepare<{ last: number }>(
    db,
    'SELECT last_number AS last FROM guild_ledger WHERE guild_no = ?',
  );
  const write = prepare(
    db,
    `INSERT INTO guild_ledger (guild_no, last_number) VALUES (?, ?)
     ON CONFLICT (guild_no) DO UPDATE SET last_number = excluded.last_number`,
  );
  const older = createOlderRows(db);

  /** The guild's last number. First numbers the rows that an older version left without one. */
  function begin(guildNo: number): number {
    let number = find.get(guildNo)?.last ?? 0;
    for (const row of older.of(guildNo)) {
      number += 1;
      older.number(guildNo, row, number);
    }
    return number;
  }

  return {
    next(guildNo: number): number {
      const number = (last.get(guildNo) ?? begin(guildNo)) + 1;
      last.set(guildNo, number);
      return number;
    },
    hasOlder: (): boolean => older.guilds().length > 0,
    /** Numbers the rows that older versions left without one, in all guilds. Call `flush` afterwards. */
    numberOlder(): void {
      for (const guildNo of older.guilds()) {
        last.set(guildNo, begin(guildNo));
      }
    },
    flush(): void {
      for (const [guildNo, number] of last) {
        write.run(guildNo, number);
      }
      last.clear();
    },
    forget: () => last.clear(),
  };
}

interface OlderRow {
  accountNo: number;
  seq: number;
}

/** Transactions without a number, which a process of an older version inserted beside this one. */
function createOlderRows(db: DatabaseSync) {
  const find = prepare<OlderRow>(
    db,
    `SELECT account_no AS accountNo, seq FROM ledger_transaction INDEXED BY ledger_without_number
     WHERE guild_no = ? AND number IS NULL ORDER BY created_at, account_no, seq`,
  );
  const findGuilds = prepare<{ guildNo: number }>(
    db,
    `SELECT DISTINCT guild_no AS guildNo FROM ledger_transaction INDEXED BY ledger_without_number
     WHERE number IS NULL`,
  );
  const update = prepare(
    db,
    'UPDATE ledger_transaction SET number = ? WHERE guild_no = ? AND account_no = ? AND seq = ?',
  );
  return {
    of: (guildNo: number): OlderRow[] => find.all(guildNo),
    guilds: (): number[] => findGuilds.all().map(({ guildNo }) => guildNo),
    number(guildNo: number, { accountNo, seq }: OlderRow, number: number): void {
      update.run(number, guildNo, accountNo, seq);
    },
  };
}
