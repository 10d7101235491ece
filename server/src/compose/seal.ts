import { setTimeout as pause } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import { createStoredSecrets } from '../domain/access/stored-secrets.ts';
import type { Clock, IdSource, Store } from '../domain/ports.ts';
import { createSealKeys, type SealKeys } from '../domain/seal/seal-keys.ts';
import { createSealer, type SealProblem, type SealProgress } from '../domain/seal/sealer.ts';
import { createSeals, type Seals } from '../domain/seal/seals.ts';
import { openSealHeads, type SealHeads } from './seal-heads.ts';
import type { OperatorKeyring } from './secret-key.ts';

/** How often the sealer looks for ledgers that grew. */
const LOOK_EVERY_MS = 1_000;
/** The progress of a long backlog is logged this often, and so is a problem that stays. */
const PROGRESS_EVERY_MS = 10_000;
const PROBLEM_EVERY_MS = 10 * 60_000;
const FAILURE_EVERY_MS = 60_000;
/** A shorter backlog is sealed in less than a second or two. */
const BACKLOG_MIN = 20_000;
const NAME_BYTES = 4;
/** The pause after a failure, such as a store that does not answer. */
const FAILED_PAUSE_MS = 5_000;

export interface SealEnvironment {
  clock: Clock;
  ids: IdSource;
  logger: BaseLogger;
  /** How often to look for ledgers that grew, if not the default; 0 never looks. */
  sealLookMs?: number | undefined;
}

/** The keys that seal ledgers. A store without any gets its first from `read`. */
export function openSealKeys(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { clock, ids }: Pick<SealEnvironment, 'clock' | 'ids'>,
  { store, keyring }: { store: Store; keyring: OperatorKeyring },
): SealKeys {
  const random = Buffer.from(ids.randomBytes(NAME_BYTES)).toString('hex');
  const nameOfNew = publicUrl === undefined ? `guildbook-${random}` : new URL(publicUrl).host;
  const secrets = createStoredSecrets({ ...store, keyring, clock });
  const isOperatorKeyLost = async () => !keyring.isThere() && (await secrets.count()).unreadable.webhooks > 0;
  return createSealKeys({ store, keyring, clock, nameOfNew, isOperatorKeyLost });
}

/** Starts the sealer, and creates the rules of sealed ledgers. A store without a key gets its first. */
export async function startSeals(
  config: Pick<Config, 'publicUrl' | 'databaseUrl'>,
  environment: SealEnvironment,
  parts: { store: Store; keyring: OperatorKeyring },
): Promise<{ seals: Seals; stop(): Promise<void> }> {
  const keys = openSealKeys(config, environment, parts);
  const { store } = parts;
  const heads = openSealHeads(config, { store, logger: environment.logger });
  if (environment.sealLookMs !== 0) {
    // A failure does not keep the service from starting: the sealer tries again, and logs it.
    await keys.read().catch(() => {});
  }
  const sealing = startSealing(environment, { store, keys, heads });
  return {
    seals: createSeals({ store, keys }),
    async stop() {
      await sealing.stop();
      heads.stop();
    },
  };
}

/** Seals ledgers in the background. */
export function startSealing(
  { clock, ids, logger, sealLookMs = LOOK_EVERY_MS }: SealEnvironment,
  { store, keys, heads }: { store: Store; keys: SealKeys; heads?: SealHeads },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const log = createSealLog(logger, clock);
  const sealer = createSealer({
    store,
    keys,
    clock,
    holder: ids.uuid(),
    onProblem: log.onProblem,
    onProgress(progress) {
      heads?.note(progress.guildId, progress.size);
      log.onProgress(progress);
    },
  });

  async function run(): Promise<void> {
    let pauseMs = sealLookMs;
    await heads?.compare().catch(log.onFailure);
    while (!signal.aborted) {
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      try {
        const hasMore = !signal.aborted && (await sealer.look(signal));
        pauseMs = hasMore ? 0 : sealLookMs;
      } catch (error) {
        pauseMs = FAILED_PAUSE_MS;
        log.onFailure(error);
      }
    }
  }

  const running = sealLookMs === 0 ? Promise.resolve() : run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Logs long backlogs and problems, each guild's only now and then. */
function createSealLog(logger: BaseLogger, clock: Clock) {
  const loggedAtMs = new Map<string, number>();
  const isDue = (name: string, everyMs: number) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (loggedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < everyMs) {
      return false;
    }
    loggedAtMs.set(name, nowMs);
    return true;
  };
  return {
    onProgress({ guildId, size, behind }: SealProgress) {
      const name = `progress ${guildId}`;
      if (behind >= BACKLOG_MIN && isDue(name, PROGRESS_EVERY_MS)) {
        logger.info({ guildId, sealed: size, waiting: behind }, 'sealing a long ledger');
      } else if (behind === 0 && loggedAtMs.delete(name)) {
        logger.info({ guildId, sealed: size }, 'the ledger is sealed');
      }
    },
    onFailure(error: unknown) {
      // The same failure is not logged at each attempt.
      if (isDue(`failure ${String(error)}`, FAILURE_EVERY_MS)) {
        logger.warn({ err: error }, 'ledgers are not sealed: this is tried again every few seconds');
      }
    },
    onProblem({ guildId, reason }: SealProblem) {
      if (isDue(`problem ${guildId}`, PROBLEM_EVERY_MS)) {
        logger.error(
          { guildId, reason },
          'the ledger is not sealed any further, because the store does not have what was sealed: run verify',
        );
      }
    },
  };
}
