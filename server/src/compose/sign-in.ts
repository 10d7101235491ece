import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { ApiKeys } from '../domain/access/api-keys.ts';
import { createNoSessions, createSessions } from '../domain/access/sessions.ts';
import { createSignIns } from '../domain/access/sign-ins.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { createDashboard } from '../domain/dashboard.ts';
import type { Clock, IdSource, Store } from '../domain/ports.ts';
import type { SignInParts } from '../http/server.ts';
import { createPlatform } from './chat-platform.ts';
import type { OperatorKeyring } from './secret-key.ts';

/** Without a registered application there is no platform to sign in with, and nothing to encrypt. */
export async function createSignInParts(
  config: Config,
  environment: { clock: Clock; ids: IdSource; chatTimeoutMs?: number | undefined },
  { store, keys, keyring }: { store: Store; keys: ApiKeys; keyring: OperatorKeyring },
): Promise<SignInParts> {
  const { clock, ids } = environment;
  const platform = await createPlatform(config, environment);
  const { roles, guilds: guildStore, verifications: verificationStore } = store;
  const stands = { keys, guildStore, verificationStore, roles, sessionStore: store.sessions, clock };
  if (platform === undefined) {
    const sessions = createNoSessions();
    return { signIns: undefined, sessions, dashboard: createDashboard({ ...stands, sessions }) };
  }
  // Created now, so that a damaged key fails the start and not the first sign-in.
  keyring.keep();
  const parts = { store: store.sessions, platform, roles, guildStore, sealer: keyring, clock, ids, pause };
  const expiredKeptMs = config.sessionDays * DAY_MS;
  const sessions = createSessions(parts);
  return {
    signIns: createSignIns({ ...parts, expiredKeptMs }),
    sessions,
    dashboard: createDashboard({ ...stands, sessions }),
  };
}
