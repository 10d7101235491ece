import { createHash, createPublicKey, verify } from 'node:crypto';
import type { LockedPackage } from './lockfile.ts';

/** Requests to the registry at once. */
const REQUESTS_MAX = 8;
const TRIES = 3;
const WAIT_MS = 120_000;

interface Manifest {
  name?: string;
  version?: string;
  dist?: { integrity?: string; tarball?: string; signatures?: { keyid: string; sig: string }[] };
}

interface SigningKey {
  keyid: string;
  key: string;
}

export interface RegistryResult {
  faults: string[];
  /** Packages whose signature by the registry is valid. */
  signedCount: number;
  /** Why signatures were not checked; undefined when the registry has them. */
  unsignedReason: string | undefined;
}

export interface RegistryOptions {
  /** Its address, with a slash at the end. */
  registry: string;
  /** Chooses the packages whose tarball is fetched and hashed, such as those that are installed. */
  isFetched: (one: LockedPackage) => boolean;
}

/**
 * Asks the registry for each package of the lock file: it must have that name and version with the same SHA-512, the tarball must
 * have that SHA-512 too, and the registry's signature must be valid where the registry has signing keys.
 */
export async function checkWithRegistry(
  packages: readonly LockedPackage[],
  { registry, isFetched }: RegistryOptions,
): Promise<RegistryResult> {
  const keys = await readKeys(registry);
  const result: RegistryResult = {
    faults: [],
    signedCount: 0,
    unsignedReason:
      keys.length > 0 ? undefined : `${registry} has no signing keys (it does not answer -/npm/v1/keys)`,
  };
  const waiting = [...new Map(packages.map((one) => [`${one.name}@${one.version}`, one])).values()];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const fault = await checkPackage(one, { registry, keys, isFetched: isFetched(one) });
      if (fault !== undefined) {
        result.faults.push(`${one.name}@${one.version}: ${fault}`);
      } else if (keys.length > 0) {
        result.signedCount += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_MAX }, work));
  result.faults.sort();
  return result;
}

interface PackageOptions {
  registry: string;
  keys: readonly SigningKey[];
  isFetched: boolean;
}

async function checkPackage(one: LockedPackage, options: PackageOptions): Promise<string | undefined> {
  const { registry, keys, isFetched } = options;
  const reply = await ask(`${registry}${one.name.replace('/', '%2f')}/${one.version}`);
  if (reply.status !== 200) {
    return `the registry answers ${reply.status} for it`;
  }
  const { name, version, dist = {} } = (await reply.json()) as Manifest;
  if (name !== one.name || version !== one.version) {
    return `the registry answers with ${name}@${version}`;
  }
  if (dist.integrity !== one.integrity) {
    return `the registry has another SHA-512 (${dist.integrity})`;
  }
  if (isFetched && (await hashOf(dist.tarball ?? '')) !== one.integrity) {
    return `the tarball ${dist.tarball} has another SHA-512`;
  }
  return keys.length > 0 && !isSigned(one, dist.signatures ?? [], keys)
    ? 'the registry has signing keys, but no valid signature of it'
    : undefined;
}

/** The keys with which the registry signs. None when it does not offer any. */
async function readKeys(registry: string): Promise<SigningKey[]> {
  const reply = await ask(`${registry}-/npm/v1/keys`);
  if (reply.status === 404) {
    return [];
  }
  if (reply.status !== 200) {
    throw new Error(`${registry}-/npm/v1/keys answers ${reply.status}`);
  }
  return ((await reply.json()) as { keys: SigningKey[] }).keys;
}

/** The registry signs the name, the version and the integrity. A key that has expired may have signed before. */
function isSigned(
  { name, version, integrity }: LockedPackage,
  signatures: readonly { keyid: string; sig: string }[],
  keys: readonly SigningKey[],
): boolean {
  return signatures.some(({ keyid, sig }) => {
    const known = keys.find((one) => one.keyid === keyid);
    if (known === undefined) {
      return false;
    }
    const key = createPublicKey({ key: Buffer.from(known.key, 'base64'), format: 'der', type: 'spki' });
    const signed = Buffer.from(`${name}@${version}:${integrity}`);
    return verify('sha256', signed, key, Buffer.from(sig, 'base64'));
  });
}

async function hashOf(tarball: string): Promise<string> {
  const reply = await ask(tarball);
  const hash = createHash('sha512');
  for await (const chunk of reply.body ?? []) {
    hash.update(chunk);
  }
  return `sha512-${hash.digest('base64')}`;
}

/** Tries again after a failed connection or a server's error. */
async function ask(url: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
      if (reply.status < 500 || tries === TRIES) {
        return reply;
      }
      await reply.body?.cancel();
    } catch (error) {
      if (tries === TRIES) {
        throw new Error(`${url} cannot be reached`, { cause: error });
      }
    }
  }
}
