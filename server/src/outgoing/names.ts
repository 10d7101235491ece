import { Resolver } from 'node:dns/promises';
import { createCache } from '../domain/cache.ts';
import type { Clock } from '../domain/ports.ts';
import { createHostsFile } from './hosts-file.ts';

/** Limits of concurrent look-ups, for one guild and for all. */
export const LOOKUPS_PER_GUILD_MAX = 8;
const LOOKUPS_MAX = 2_000;
/** Time limit of a whole look-up. Each of its tries has less time. */
const LOOKUP_TIMEOUT_MS = 5_000;
const TRIES = 2;
/** Once a name has IPv4 addresses, its IPv6 addresses are awaited no longer than this. */
const IPV6_WAIT_MS = 300;
const CACHED_MAX = 1_000;
/** Addresses are cached for the time that their name server allows, within these bounds. */
const KEPT_MIN_MS = 5_000;
const KEPT_MAX_MS = 60_000;
/** Less than the pause before the first retry, so that the retry asks the name server again. */
const FAILURE_KEPT_MS = 3_000;

/** Finds the addresses of a name for a guild. Rejects with an error that has a code. */
export type Lookup = (hostname: string, guildNo: number) => Promise<readonly { address: string }[]>;

export interface NamesParts {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Name servers instead of those of the system, such as 127.0.0.1:5353. */
  nameServers?: readonly string[] | undefined;
  hostsFile?: string | undefined;
  lookupTimeoutMs?: number | undefined;
}

/** The reason why a name has no address here. */
class NameError extends Error {
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

interface Answer {
  addresses: readonly { address: string }[];
  keptMs: number;
  error: NameError | undefined;
}

/**
 * Resolves names by the hosts file and DNS, without the system's `getaddrinfo`. That function occupies one of two
 * libuv threads until the name server answers, and every other look-up would wait behind it, including those of the
 * chat platform and the database. Search domains do not apply.
 */
export function createNames(parts: NamesParts): { lookup: Lookup; close(): void } {
  const { clock } = parts;
  const inHostsFile = createHostsFile(clock, parts.hostsFile);
  const cache = createCache<Answer & { untilMs: number }>(CACHED_MAX);
  const underWay = new Map<string, Promise<Answer>>();
  const countOfGuild = new Map<number, number>();
  const resolvers = new Set<Resolver>();

  /** One resolver per name: it can be cancelled on its own, and it reads the system's settings again. */
  async function ask(hostname: string): Promise<Answer> {
    const timeoutMs = parts.lookupTimeoutMs ?? LOOKUP_TIMEOUT_MS;
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / (TRIES + 1)), tries: TRIES });
    if (parts.nameServers !== undefined) {
      resolver.setServers(parts.nameServers);
    }
    resolvers.add(resolver);
    const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return await askBoth(resolver, hostname);
    } finally {
      clearTimeout(deadline);
      resolvers.delete(resolver);
    }
  }

  async function askOnce(hostname: string, guildNo: number): Promise<Answer> {
    const count = countOfGuild.get(guildNo) ?? 0;
    if (count >= LOOKUPS_PER_GUILD_MAX || resolvers.size >= LOOKUPS_MAX) {
      throw new NameError('ETOOMANYNAMES');
    }
    countOfGuild.set(guildNo, count + 1);
    const asked = ask(hostname);
    underWay.set(hostname, asked);
    try {
      const answer = await asked;
      cache.set(hostname, { ...answer, untilMs: clock.monotonicMs() + answer.keptMs });
      return answer;
    } finally {
      underWay.delete(hostname);
      const left = (countOfGuild.get(guildNo) ?? 1) - 1;
      if (left === 0) {
        countOfGuild.delete(guildNo);
      } else {
        countOfGuild.set(guildNo, left);
      }
    }
  }

  return {
    async lookup(hostname, guildNo) {
      const local = await inHostsFile(hostname);
      if (local.length > 0) {
        return local.map((address) => ({ address }));
      }
      const cached = cache.get(hostname);
      const isValid = cached !== undefined && clock.monotonicMs() < cached.untilMs;
      const { addresses, error } = isValid
        ? cached
        : await (underWay.get(hostname) ?? askOnce(hostname, guildNo));
      if (error !== undefined) {
        throw error;
      }
      return addresses;
    },
    close() {
      for (const resolver of resolvers) {
        resolver.cancel();
      }
    },
  };
}

async function askBoth(resolver: Resolver, hostname: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const ipv4 = resolver.resolve4(hostname, { ttl: true }).then((found) => {
    timer = setTimeout(() => resolver.cancel(), IPV6_WAIT_MS);
    return found;
  });
  const results = await Promise.allSettled([ipv4, resolver.resolve6(hostname, { ttl: true })]);
  clearTimeout(timer);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0) {
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    return { addresses: [], keptMs: FAILURE_KEPT_MS, error: toNameError(failures) };
  }
  const ttlMs = Math.min(...found.map(({ ttl }) => ttl)) * 1_000;
  const keptMs = Math.min(Math.max(ttlMs, KEPT_MIN_MS), KEPT_MAX_MS);
  return { addresses: found, keptMs, error: undefined };
}

function toNameError(failures: readonly { code?: string }[]): NameError {
  const codes = failures.map(({ code }) => code);
  if (codes.some((code) => code === 'ETIMEOUT' || code === 'ECANCELLED')) {
    return new NameError('ETIMEOUT', failures[0]);
  }
  const isAbsent = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
  return new NameError(isAbsent ? 'ENOTFOUND' : 'EAI_AGAIN', failures[0]);
}
