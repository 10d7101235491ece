import { keyFileOf } from '../compose/secret-key.ts';
import { countStoredSecrets } from '../compose/stored-secrets.ts';
import { isPostgres } from '../compose/stores.ts';
import { systemClock, systemIds } from '../compose.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import { formatMany } from './progress.ts';

const ENVIRONMENT = { clock: systemClock, ids: systemIds };

/**
 * Checks that the key of the settings, or the one beside the store, opens the secrets in the store. Throws when it
 * does not and webhooks therefore deliver nothing. Unreadable sessions are harmless and only printed.
 */
export async function verifySecrets(config: Config): Promise<void> {
  const { unreadable, previous } = await countStoredSecrets(config, ENVIRONMENT);
  if (isPostgres(config) && config.secretKey === undefined) {
    const count = unreadable.webhooks;
    if (count > 0) {
      console.log(
        `The secrets of ${formatMany(count, 'webhook')} were not checked: SECRET_KEY is not set for this command.`,
      );
    }
    return;
  }
  if (unreadable.webhooks > 0) {
    throw new OperatorError(explainUnreadable(config, unreadable.webhooks));
  }
  if (unreadable.sessions > 0) {
    console.log(
      `The tokens of ${formatMany(unreadable.sessions, 'session')} cannot be read: their people sign in again, which is harmless.`,
    );
  }
  if (previous.webhooks + previous.sessions > 0) {
    console.log(
      'Some secrets are encrypted with SECRET_KEY_PREVIOUS: restart the service before you remove it.',
    );
  }
}

/** After a restore. An unreadable secret does not fail the restore: the key is not part of a backup. */
export async function printRestoredSecrets(config: Config): Promise<void> {
  try {
    await verifySecrets(config);
  } catch (error) {
    if (!(error instanceof OperatorError)) {
      throw error;
    }
    console.log(error.message);
  }
}

/** After a backup: prints the key file, which has to be copied as well. */
export function printKeyFile(config: Config): void {
  const key = keyFileOf(config);
  if (config.secretKey === undefined && key?.isThere === true) {
    console.log(
      `The backup does not hold the key that encrypts the secrets of webhooks and the key of the sealed ledgers. Copy ${key.file} as well, ` +
        'to another place than the backup, and keep it secret.',
    );
  }
}

/** After a copy: its secrets are encrypted with the key of the source. */
export function printKeyOfCopy(from: string): void {
  const key = keyFileOf({ databaseUrl: from });
  if (key?.isThere === true) {
    console.log(
      `The secrets of webhooks and the key of the sealed ledgers in the copy are encrypted with the key in ${key.file}. ` +
        'Give the service on the copy the content of that file as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new SECRET_KEY.',
    );
  }
}

function explainUnreadable(config: Config, count: number): string {
  const key = config.secretKey === undefined ? keyFileOf(config) : undefined;
  const reason =
    key === undefined
      ? 'SECRET_KEY is not the key that their secrets are encrypted with'
      : `Their secrets are encrypted, and ${key.isThere ? `${key.file} is not the key` : `there is no ${key.file}`}`;
  const remedy =
    key === undefined
      ? 'Set SECRET_KEY_PREVIOUS to the key before, and restart the service.'
      : 'Put the secret.key from beside the former store there, or set SECRET_KEY to the key that the service had.';
  return [
    `webhooks that cannot deliver: ${count}`,
    `  ${reason}. ${remedy}`,
    '  Without that key, give each of them a new secret, and each chat channel its address again.',
  ].join('\n');
}
