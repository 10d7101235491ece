import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ClientOptions, createClient, type GuildbookClient } from '@guildbook/client';
import { createLogger } from '../../../server/src/cli/serving.ts';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../../../server/src/compose.ts';
import { readConfig } from '../../../server/src/config.ts';
import { SCOPES, type Scope } from '../../../server/src/domain/model.ts';
import { changeAt, TESTER } from '../../../server/test/support/change.ts';
import { createFolder } from '../../../server/test/support/folder.ts';
import { untilTrue } from '../../../server/test/support/patience.ts';
import { endNow, type ServerProcess, startServer } from '../../../server/test/support/process.ts';
import { readStore } from '../../../server/test/support/read-store.ts';
import {
  COMMANDS,
  DISCHARGE,
  GUILD_ID,
  ODD_DISCHARGE,
  OTHER_GUILD_ID,
  STRICT_GUILD_ID,
  TRANSFER,
  VERIFICATIONS,
} from './specimens.ts';

const DAY_MS = 86_400_000;
const GUILD_IDS = [GUILD_ID, OTHER_GUILD_ID, STRICT_GUILD_ID];
/** Most tests use a key of the first guild with all scopes, so there are more of those. */
const KEY_COUNT = 30;
const OTHER_KEY_COUNT = 6;

export interface Who {
  guildId?: string;
  scopes?: readonly Scope[];
}

/** The real service as a process of its own, on a store with three guilds and one record of each kind. */
export interface Place {
  address: string;
  file: string;
  server: ServerProcess;
  /** A key that nobody else uses, so that no test feels the rate limit of another. */
  takeKey(who?: Who): string;
  /** A client with a key of its own. */
  connect(options?: Partial<ClientOptions>, who?: Who): GuildbookClient;
  /** Kills the service and starts it again on the same port, which has to be given in the settings for this. */
  restart(): Promise<void>;
  /** Runs something while the service is halted: it accepts connections and answers nothing. */
  whileHalted<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Lets a halted service go on. */
  resume(): void;
  stop(): Promise<void>;
}

export async function startPlace(
  env: Record<string, string> = {},
  { keyCount = KEY_COUNT } = {},
): Promise<Place> {
  const folder = createFolder();
  const file = path.join(folder, 'guildbook.db');
  const keys = await fillStore(file, keyCount);
  const settings = { DATABASE_URL: `sqlite:${file}`, ...env };
  const server = await startServer({ cwd: folder, env: settings });

  const place: Place = {
    address: server.address,
    file,
    server,
    takeKey({ guildId = GUILD_ID, scopes = SCOPES } = {}) {
      const key = keys.get(kindOf(guildId, scopes))?.pop();
      if (key === undefined) {
        throw new Error('no such key is left: make more of them in the test place');
      }
      return key;
    },
    connect(options, who) {
      return createClient({ baseUrl: place.address, apiKey: place.takeKey(who), ...options });
    },
    async restart() {
      await endNow(place.server.child);
      place.server = await startServer({ cwd: folder, env: settings });
    },
    async whileHalted(run) {
      place.server.child.kill('SIGSTOP');
      await untilTrue(() => isHalted(place.server.child.pid));
      try {
        return await run();
      } finally {
        place.resume();
      }
    },
    resume() {
      place.server.child.kill('SIGCONT');
    },
    // Not politely: a process that a test has halted could not end by itself.
    stop: () => endNow(place.server.child),
  };
  return place;
}

/** True when /proc says that the process is halted: after a signal was sent, it may still answer for a moment. */
function isHalted(pid: number | undefined): boolean {
  const file = `/proc/${pid}/stat`;
  return !existsSync(file) || / T /.test(readFileSync(file, 'utf8'));
}

/** How many transactions the store's file holds, of one player or of all. */
export function countTransactions(file: string, playerId?: string): number {
  const sql = `SELECT count(*) AS count FROM ledger_transaction JOIN account USING (account_no)
    WHERE ? IS NULL OR player_id = ?`;
  const id = playerId ?? null;
  return Number(readStore(file, (db) => db.prepare(sql).get(id, id)?.count));
}

type Keys = Map<string, string[]>;

function kindOf(guildId: string, scopes: readonly Scope[]): string {
  return [guildId, ...scopes].join(' ');
}

async function fillStore(file: string, keyCount: number): Promise<Keys> {
  const toolbox = await openToolbox(readConfig({ DATABASE_URL: `sqlite:${file}` }), {
    clock: systemClock,
    ids: systemIds,
    logger: createLogger('silent'),
    onFatal(error) {
      throw error;
    },
  });
  for (const guildId of GUILD_IDS) {
    const overdraftAllowed = guildId !== STRICT_GUILD_ID;
    await toolbox.guilds.set(
      { guildId, name: `Guild ${guildId}`, plan: 'developer', overdraftAllowed },
      TESTER,
    );
  }
  const guild = await toolbox.guilds.find(GUILD_ID);
  const change = changeAt(Date.now());
  await toolbox.store.discharges.put(guild, [DISCHARGE, ODD_DISCHARGE], change);
  await toolbox.store.transfers.put(guild, [TRANSFER], change);
  await toolbox.store.verifications.put(VERIFICATIONS, change);
  await toolbox.store.commands.replace(COMMANDS, change);
  const keys = await makeKeys(toolbox, keyCount);
  await toolbox.close();
  return keys;
}

/** Keys of every guild: with all scopes, and with each one alone. Made at once, they share their commits. */
async function makeKeys(toolbox: Toolbox, keyCount: number): Promise<Keys> {
  const kinds = GUILD_IDS.flatMap((guildId) =>
    [SCOPES, ...SCOPES.map((scope) => [scope])].map((scopes) => ({ guildId, scopes })),
  );
  const entries = kinds.map(async ({ guildId, scopes }): Promise<[string, string[]]> => {
    const expiresAtMs = Date.now() + DAY_MS;
    const order = { guildId, name: 'test', scopes, expiresAtMs };
    const count = guildId === GUILD_ID && scopes === SCOPES ? keyCount : OTHER_KEY_COUNT;
    const made = Array.from({ length: count }, () => toolbox.keys.create(order, TESTER));
    return [kindOf(guildId, scopes), (await Promise.all(made)).map(({ value }) => value)];
  });
  return new Map(await Promise.all(entries));
}
