import { readFileSync } from 'node:fs';
import { PROGRAM } from '../support/processes.ts';
import { startService } from '../support/servers.ts';
import type { Peer } from './peer.ts';
import { checkInterfaceAnswer, countRows, interfaceLoads } from './same-interface.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** This service on its embedded store, as `guildbook serve` starts it. */
export const guildbook: Peer = {
  name: 'guildbook',
  title: 'Guildbook',
  version: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
  survivesPowerCut: true,
  durability: 'SQLite, WAL, `synchronous=FULL`',
  programs: [],
  obtain: async () => PROGRAM,
  async start({ program, sample: { ledger } }) {
    const server = await startService({ databaseUrl: `sqlite:${ledger.file}`, program });
    const loads = interfaceLoads(ledger.keys);
    return {
      server,
      loads,
      check: (job, index, body) => checkInterfaceAnswer(loads, { job, index, body }),
      countTransactions: async () => countRows(ledger.file, 'ledger_transaction'),
      stop: server.stop,
    };
  },
};
