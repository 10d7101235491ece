import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { createKeyring, createSealer, type Keyring, type Sealer } from '../domain/access/sealing.ts';
import { OperatorError } from '../domain/errors.ts';
import type { IdSource } from '../domain/ports.ts';
import { findSecretKey, keepSecretKey, secretKeyFile } from '../store/sqlite/secret-key.ts';
import { isPostgres, sqliteFile } from './stores.ts';

type KeySettings = Pick<Config, 'databaseUrl' | 'secretKey' | 'secretKeyPrevious'>;

export interface OperatorKeyring extends Keyring {
  /** Creates the key beside the store now, if the settings have none and it does not exist. */
  keep(): void;
  /** False when neither the settings nor the file have a key. */
  isThere(): boolean;
}

/**
 * The operator's key: from the settings, or a file beside the SQLite store, which is created when something is first
 * encrypted.
 */
export function createOperatorKeyring(config: KeySettings, ids: IdSource): OperatorKeyring {
  const { secretKey, secretKeyPrevious } = config;
  const toSealer = (secret: string | undefined) =>
    secret === undefined ? undefined : createSealer(secret, ids);
  let present: Sealer | undefined = toSealer(secretKey);
  const find = () => {
    present ??= isPostgres(config) ? undefined : toSealer(findSecretKey(sqliteFile(config)));
    return present;
  };
  const keep = () => {
    if (present === undefined && isPostgres(config)) {
      throw new OperatorError('SECRET_KEY is needed with PostgreSQL');
    }
    present ??= createSealer(keepSecretKey(sqliteFile(config), ids), ids);
    return present;
  };
  const isThere = () => find() !== undefined;
  return { ...createKeyring({ find, keep, previous: toSealer(secretKeyPrevious) }), keep, isThere };
}

/** The path of the key file of an SQLite store, whether or not it exists. PostgreSQL has none. */
export function keyFileOf(
  place: Pick<Config, 'databaseUrl'>,
): { file: string; isThere: boolean } | undefined {
  if (isPostgres(place)) {
    return undefined;
  }
  const file = path.resolve(secretKeyFile(sqliteFile(place)));
  return { file, isThere: existsSync(file) };
}
