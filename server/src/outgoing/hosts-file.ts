import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Clock } from '../domain/ports.ts';

/** Changes of the file take effect after this time. */
const KEPT_MS = 5_000;
const LOOPBACK = ['127.0.0.1', '::1'];

const SYSTEM_FILE =
  process.platform === 'win32'
    ? path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

/** Finds the addresses of a name in the machine's hosts file, IPv4 first. Empty when it has none. */
export type FindInHostsFile = (hostname: string) => Promise<readonly string[]>;

/** The name localhost, and every name that ends with it, is this machine, whether or not it is in the file. */
export function createHostsFile(clock: Pick<Clock, 'monotonicMs'>, file = SYSTEM_FILE): FindInHostsFile {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let names: Promise<Map<string, string[]>> = Promise.resolve(new Map());
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (clock.monotonicMs() - readAtMs >= KEPT_MS) {
      readAtMs = clock.monotonicMs();
      // Without the file there are no such names.
      names = readFile(file, 'utf8').then(parse, () => new Map());
    }
    const found = (await names).get(name);
    return found ?? (name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : []);
  };
}

function parse(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) {
      continue;
    }
    for (const name of names) {
      const known = addresses.get(name.toLowerCase()) ?? [];
      addresses.set(name.toLowerCase(), isIP(address) === 4 ? [address, ...known] : [...known, address]);
    }
  }
  return addresses;
}
