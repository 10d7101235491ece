import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import type { IdSource } from '../../domain/ports.ts';
import { makeFolder } from './store-file.ts';

const SECRET_BYTES = 32;
const SECRET_LENGTH_MIN = 32;

/** The file with the secret of a store whose settings have none. */
export function secretKeyFile(storeFile: string): string {
  return path.join(path.dirname(storeFile), 'secret.key');
}

/** The secret kept beside the store; undefined when none was made there. */
export function findSecretKey(storeFile: string): string | undefined {
  return readSecret(secretKeyFile(storeFile));
}

/** The secret kept beside the store: made once, readable by its owner alone. */
export function keepSecretKey(storeFile: string, ids: IdSource): string {
  const file = secretKeyFile(storeFile);
  const folder = path.dirname(file);
  const present = readSecret(file);
  if (present !== undefined) {
    return present;
  }
  makeFolder(path.resolve(folder));
  const unfinished = `${file}.${ids.uuid()}`;
  const secret = Buffer.from(ids.randomBytes(SECRET_BYTES)).toString('base64url');
  writeFileSync(unfinished, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link appears with its whole content and never replaces a file: two processes that start at once both read the
    // secret of the first.
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readSecret(file) ?? secret;
}

function readSecret(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw new OperatorError(`${file} cannot be read`, { cause: error });
  }
  if (text.length < SECRET_LENGTH_MIN) {
    throw new OperatorError(
      `${file} is damaged: put a copy of it back. Without one remove it, and a new one is made; ` +
        'then everybody signs in again, and each webhook needs a new secret',
    );
  }
  return text;
}
