/** A package of the lock file that comes from the registry. */
export interface LockedPackage {
  /** Its folder, such as `node_modules/pino`. */
  place: string;
  name: string;
  version: string;
  integrity: string;
}

interface Entry {
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

export interface Lockfile {
  lockfileVersion: number;
  packages: Readonly<Record<string, Entry>>;
}

/** The only registry that the lock file may name. */
const REGISTRY = 'https://registry.npmjs.org/';
/** One SHA-512, and no other algorithm beside it: npm accepts a package that matches any of several. */
const INTEGRITY = /^sha512-[\d+/A-Za-z]{86}==$/;
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

/**
 * Reads the packages of a lock file. `faults` has a line for each entry that does not pin one package of the registry by name, exact
 * version and SHA-512. The workspaces are ours and have none.
 */
export function readLockfile(
  { lockfileVersion, packages }: Lockfile,
  workspaces: readonly string[],
): { packages: LockedPackage[]; faults: string[] } {
  const locked: LockedPackage[] = [];
  const faults = lockfileVersion === 3 ? [] : [`the lock file has version ${lockfileVersion}, not 3`];
  for (const [place, entry] of Object.entries(packages)) {
    if (place === '' || workspaces.includes(place)) {
      continue;
    }
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const fault = entry.link === true ? linkFault(entry, workspaces) : entryFault(place, name, entry);
    if (fault !== undefined) {
      faults.push(`${place}: ${fault}`);
    } else if (entry.link !== true) {
      // Both are there, because they have no fault.
      locked.push({ place, name, version: entry.version ?? '', integrity: entry.integrity ?? '' });
    }
  }
  return { packages: locked, faults };
}

function linkFault({ resolved = '' }: Entry, workspaces: readonly string[]): string | undefined {
  return workspaces.includes(resolved) ? undefined : `is a link to ${resolved}, which is no workspace`;
}

function entryFault(place: string, name: string, entry: Entry): string | undefined {
  const { version = '', resolved, integrity } = entry;
  if (!place.includes('node_modules/')) {
    return 'is neither a workspace nor in node_modules';
  }
  if (entry.name !== undefined && entry.name !== name) {
    return `is another package, ${entry.name}`;
  }
  if (!EXACT_VERSION.test(version)) {
    return `has no exact version (${version})`;
  }
  const tarball = `${REGISTRY}${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
  if (resolved !== undefined && resolved !== tarball) {
    return `comes from ${resolved}, not from the registry`;
  }
  if (entry.inBundle === true) {
    return 'is bundled with another package, so that nothing checks its content';
  }
  return integrity !== undefined && INTEGRITY.test(integrity)
    ? undefined
    : `has no SHA-512 (${integrity ?? 'no integrity'})`;
}

/** Compares the lock file with npm's own list of what it has installed and checked. */
export function installedFaults(locked: readonly LockedPackage[], installed: Lockfile): string[] {
  const wanted = new Map(locked.map((one) => [one.place, one]));
  return Object.entries(installed.packages).flatMap(([place, entry]) => {
    const known = wanted.get(place);
    if (!place.includes('node_modules/') || entry.link === true) {
      return [];
    }
    const isSame = known?.version === entry.version && known?.integrity === entry.integrity;
    return isSame ? [] : [`${place}: is installed from another package than the lock file's, run "npm ci"`];
  });
}
