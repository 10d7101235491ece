import { LARGE, SMALL } from '../support/ledger-file.ts';
import { createLoads, type Loads } from '../support/loads.ts';
import { type PreparedLedger, prepareLedger } from '../support/prepare.ts';
import { MEGABYTE } from '../support/processes.ts';
import { type RunningServer, startService } from '../support/servers.ts';
import type { Bench } from '../support/stage.ts';

/** The service on the embedded store, and what can be asked of it. */
export interface Served {
  service: RunningServer;
  loads: Loads;
  ledger: PreparedLedger;
}

/** Starts it on the large ledger, in a quick run on the small one. */
export async function serveLedger({ isQuick, findings }: Bench): Promise<Served> {
  const ledger = await prepareLedger('large', isQuick ? SMALL : LARGE);
  const service = await startService({ databaseUrl: `sqlite:${ledger.file}` });
  findings.addFigure({ title: 'start to ready', value: service.readyMs, unit: 'ms', atMost: 1_000 });
  const value = service.memory().nowBytes / MEGABYTE;
  findings.addFigure({ title: 'memory after start', value, unit: 'MB' });
  return { service, loads: createLoads(ledger.keys), ledger };
}
