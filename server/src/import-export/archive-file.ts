import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../domain/errors.ts';
import { sumText, unitsFromNumber } from '../domain/ledger/amount.ts';
import type { MoneySums } from '../domain/ledger/ledger-views.ts';
import type { PastTransaction } from '../domain/model.ts';
import { orderedFields } from './export.ts';
import { exactNumber, kindOf } from './kinds.ts';
import { splitLines } from './lines.ts';

const FORMAT = 'guildbook-archive';
const VERSION = 1;

/** The first line of a file. */
interface Head {
  format: typeof FORMAT;
  version: typeof VERSION;
  guildId: string;
  year: number;
}

/** The last line of a file. Sums are decimal texts; the hash covers all lines before it. */
interface Tail {
  count: number;
  deposits: string;
  withdrawals: string;
  sha256: string;
}

/** A transaction of a file: the fields of an export, and those that an import does not take. */
export interface ArchivedItem extends PastTransaction {
  number: number;
  seq: number;
  balanceUnits: number;
  keyId: string | undefined;
  postedBy: string | undefined;
}

/** Contents of a checked file. */
export interface ArchiveContents extends Pick<Head, 'guildId' | 'year'> {
  sums: MoneySums;
}

export interface ArchiveFile {
  add(item: ArchivedItem): Promise<void>;
  /** Completes the file on disk, checks it, and gives it its name. */
  finish(): Promise<void>;
  /** Removes the incomplete file. */
  abandon(): void;
}

/** The name of a file: its guild, its year, and the number after which its part of the ledger begins. */
export function archiveName({
  guildId,
  year,
  afterNumber,
}: {
  guildId: string;
  year: number;
  afterNumber: number;
}): string {
  return `${encodeURIComponent(guildId)}-${year}-after-${afterNumber}.jsonl.gz`;
}

/** Begins a file under a name of its own. It is replaced when it exists: an earlier run did not get to use it. */
export function createArchiveFile(target: string, head: Pick<Head, 'guildId' | 'year'>): ArchiveFile {
  const unfinished = `${target}.unfinished`;
  const gzip = createGzip();
  // `flush` makes the data durable before the file is closed.
  const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
  gzip.pipe(file);
  const written = Promise.all([finished(gzip), finished(file)]);
  // Reported by `finish`; without this, a failure before it would end the process.
  written.catch(() => {});
  const hash = createHash('sha256');
  const sums = createSums();

  async function write(line: string): Promise<void> {
    if (!gzip.write(line)) {
      await Promise.race([once(gzip, 'drain'), written]);
    }
  }
  const writeHashed = (fields: object) => {
    const line = `${JSON.stringify(fields)}\n`;
    hash.update(line);
    return write(line);
  };
  const begun = writeHashed({ format: FORMAT, version: VERSION, ...head } satisfies Head);

  return {
    async add(item) {
      await begun;
      sums.add(item.totalUnits);
      await writeHashed(fieldsOf(item));
    },
    async finish() {
      await begun;
      await write(`${JSON.stringify(tailOf(sums.read(), hash))}\n`);
      gzip.end();
      await written;
      await checkArchiveFile(unfinished);
      renameSync(unfinished, target);
      syncFolder(path.dirname(target));
    },
    abandon() {
      gzip.destroy();
      file.destroy();
      rmSync(unfinished, { force: true });
    },
  };
}

function fieldsOf(item: ArchivedItem): object {
  const kind = kindOf('transactions');
  const { seq, balanceUnits, keyId, postedBy } = item;
  const rest = { seq, balanceAfter: exactNumber(balanceUnits), keyId, postedBy };
  return { ...orderedFields(kind, Object.keys(kind.columns), item), ...rest };
}

/** Adds up transactions by their totals. */
export function createSums() {
  const sums: MoneySums = { depositCount: 0, depositUnits: 0n, withdrawalCount: 0, withdrawalUnits: 0n };
  return {
    add(totalUnits: number): void {
      if (totalUnits > 0) {
        sums.depositCount += 1;
        sums.depositUnits += BigInt(totalUnits);
      } else {
        sums.withdrawalCount += 1;
        sums.withdrawalUnits -= BigInt(totalUnits);
      }
    },
    read: () => sums,
  };
}

function tailOf(
  { depositCount, depositUnits, withdrawalCount, withdrawalUnits }: MoneySums,
  hash: Hash,
): Tail {
  return {
    count: depositCount + withdrawalCount,
    deposits: sumText(depositUnits),
    withdrawals: sumText(withdrawalUnits),
    sha256: hash.digest('hex'),
  };
}

/** A renamed file is durable once its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Reads a whole file and compares it with its own count, sums and hash. Throws an `OperatorError` that says what is wrong. */
export async function checkArchiveFile(file: string): Promise<ArchiveContents> {
  const hash = createHash('sha256');
  const sums = createSums();
  let head: Head | undefined;
  let last: Buffer | undefined;
  for await (const line of linesOf(file)) {
    if (last !== undefined) {
      hash.update(last).update('\n');
      if (head === undefined) {
        head = readHead(file, last);
      } else {
        sums.add(readTotal(file, last));
      }
    }
    last = line;
  }
  if (head === undefined || last === undefined) {
    throw new OperatorError(`${file} is not a complete archive file`);
  }
  const expected = JSON.stringify(tailOf(sums.read(), hash));
  if (last.toString() !== expected) {
    throw new OperatorError(`${file} is damaged: its transactions are not those that its last line counts`);
  }
  const { guildId, year } = head;
  return { guildId, year, sums: sums.read() };
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error)).pipe(text);
  try {
    for await (const lines of splitLines(text)) {
      for (const line of lines) {
        if (line === undefined) {
          throw new OperatorError(`${file} is damaged: a line is too long`);
        }
        yield line;
      }
    }
  } catch (error) {
    if (error instanceof OperatorError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw error;
    }
    throw new OperatorError(`${file} is damaged: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function readTotal(file: string, line: Buffer): number {
  const { total } = parse(file, line);
  try {
    return unitsFromNumber('total', Number(total));
  } catch (error) {
    throw new OperatorError(`${file} is damaged: a line is not a transaction`, { cause: error });
  }
}

function readHead(file: string, line: Buffer): Head {
  const head = parse(file, line) as Partial<Head>;
  if (head.format !== FORMAT) {
    throw new OperatorError(`${file} is not an archive file`);
  }
  if (head.version !== VERSION) {
    throw new OperatorError(`${file} was written by a newer version`);
  }
  // Its lines were written by this program, which the hash proves.
  return head as Head;
}

function parse(file: string, line: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(line.toString());
  } catch (error) {
    throw new OperatorError(`${file} is damaged: a line is not JSON`, { cause: error });
  }
}
