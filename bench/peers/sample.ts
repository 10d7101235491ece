import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SMALL } from '../support/ledger-file.ts';
import { type PreparedLedger, prepareLedger } from '../support/prepare.ts';
import { runGuildbook } from '../support/processes.ts';

export interface SampleDischarge {
  id: string;
  guildId: string;
  chatId: string;
  playerId: string;
  name: string;
  reason: string;
  date: string;
  type: string;
  from: string;
  signed: string;
}

export interface SampleTransaction {
  transactionId: string;
  guildId: string;
  playerId: string;
  amount: number;
  quantity: number;
  name: string;
  source: string;
  total: number;
  createdAt: string;
}

/** The data that every peer holds when it is measured. */
export interface Sample {
  ledger: PreparedLedger;
  discharges: SampleDischarge[];
  transactions: SampleTransaction[];
}

/** Exports the small ledger of the benchmarks with the product's own command, so that all peers get the same rows. */
export async function createSample(folder: string): Promise<Sample> {
  const ledger = await prepareLedger('small', SMALL);
  const env = { DATABASE_URL: `sqlite:${ledger.file}` };
  const read = async <Row>(kind: string): Promise<Row[]> => {
    const file = path.join(folder, `${kind}.ndjson`);
    await runGuildbook(['export', kind, '--out', file], env);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  return { ledger, discharges: await read('discharges'), transactions: await read('transactions') };
}
