import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Keyring } from '../domain/access/sealing.ts';
import {
  createStoredSecrets,
  type SecretCounts,
  type StoredSecrets,
} from '../domain/access/stored-secrets.ts';
import { DomainError } from '../domain/errors.ts';
import type { Clock, IdSource, Store } from '../domain/ports.ts';
import { createOperatorKeyring } from './secret-key.ts';
import { openStore } from './stores.ts';

/** The count is cached for this long. New secrets, and those of other instances, are counted after it at the latest. */
const RECOUNT_MS = 60_000;

interface SecretEnvironment {
  clock: Clock;
  logger: BaseLogger;
}

/** Counts the secrets of a store that need not be served. */
export async function countStoredSecrets(
  config: Config,
  environment: { clock: Clock; ids: IdSource },
): ReturnType<StoredSecrets['count']> {
  const store = await openStore(config, {
    schema: 'expect',
    onFatal(error) {
      throw error;
    },
  });
  try {
    const keyring = createOperatorKeyring(config, environment.ids);
    return await createStoredSecrets({ ...store, keyring, clock: environment.clock }).count();
  } finally {
    await store.close();
  }
}

/** The number of unreadable secrets, by the label of the metric. */
export type CountUnreadable = () => Promise<Record<string, number>>;

/**
 * Reseals with SECRET_KEY the secrets that SECRET_KEY_PREVIOUS opens, and logs the number of secrets that no key opens.
 * A store that cannot do this now does not fail the start.
 */
export async function prepareSecrets(
  { secretKeyPrevious }: Pick<Config, 'secretKeyPrevious'>,
  { clock, logger }: SecretEnvironment,
  { store, keyring }: { store: Store; keyring: Keyring },
): Promise<CountUnreadable> {
  const secrets = createStoredSecrets({ ...store, keyring, clock });
  try {
    if (secretKeyPrevious !== undefined) {
      await reseal(secrets, logger);
    }
    const { unreadable } = await secrets.count();
    report(unreadable, logger);
    return createCount(secrets, clock, unreadable);
  } catch (error) {
    if (!(error instanceof DomainError)) {
      throw error;
    }
    const advice = secretKeyPrevious === undefined ? '' : ': keep SECRET_KEY_PREVIOUS and restart later';
    logger.warn({ err: error }, `the stored secrets could not be checked${advice}`);
    return createCount(secrets, clock, undefined);
  }
}

async function reseal(secrets: StoredSecrets, logger: BaseLogger): Promise<void> {
  const resealed = await secrets.reseal();
  const { previous } = await secrets.count();
  if (previous.webhooks + previous.sessions > 0) {
    logger.warn(previous, 'secrets are still encrypted with SECRET_KEY_PREVIOUS: keep it and restart');
    return;
  }
  logger.info(
    resealed,
    'everything that SECRET_KEY_PREVIOUS read is encrypted with SECRET_KEY: remove it when all instances have restarted',
  );
}

function report({ webhooks, sessions }: SecretCounts, logger: BaseLogger): void {
  if (webhooks > 0) {
    logger.error(
      { webhooks },
      'webhooks deliver nothing because SECRET_KEY does not read their secrets: set SECRET_KEY_PREVIOUS to the key before, or rotate each secret',
    );
  }
  if (sessions > 0) {
    logger.info(
      { sessions },
      'SECRET_KEY does not read the tokens of some sessions: their people sign in again, which is harmless',
    );
  }
}

function createCount(secrets: StoredSecrets, clock: Clock, first: SecretCounts | undefined): CountUnreadable {
  let counted = first;
  let countedAtMs = first === undefined ? Number.NEGATIVE_INFINITY : clock.monotonicMs();
  let counting: Promise<void> | undefined;

  async function countAgain(): Promise<void> {
    countedAtMs = clock.monotonicMs();
    try {
      counted = (await secrets.count()).unreadable;
    } catch (error) {
      // An unavailable store has its own metrics; the last count is kept until it answers again.
      if (!(error instanceof DomainError)) {
        throw error;
      }
    }
  }

  return async () => {
    if (clock.monotonicMs() - countedAtMs >= RECOUNT_MS) {
      counting ??= countAgain().finally(() => {
        counting = undefined;
      });
    }
    await counting;
    return counted === undefined ? {} : { webhook: counted.webhooks, session: counted.sessions };
  };
}
