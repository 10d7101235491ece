import { describe, expect, test } from 'vitest';
import { openGuilds } from '../../src/domain/access/managed-guilds.ts';
import { createSealer } from '../../src/domain/access/sealing.ts';
import { hashOfSession } from '../../src/domain/access/session-token.ts';
import { sealTokens } from '../../src/domain/access/session-tokens.ts';
import { createSessions } from '../../src/domain/access/sessions.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { ChatGuild, ChatTokens, Session } from '../../src/domain/model.ts';
import type { ChatPlatform, SessionStore } from '../../src/domain/ports.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';
import { openTestStore } from '../support/open-store.ts';

const TOKEN = 'T'.repeat(43);
const GUILD: ChatGuild = { guildId: '1', name: 'One', icon: undefined, isOwner: true, permissions: 0n };
const HOUR_MS = 3_600_000;
/** There is one process here, so nothing changes while it waits. */
const pause = async () => {};
/** Nobody is granted anything here. */
const roles = { grants: async () => [] };
const guildStore = { findExisting: async () => [] };

/** A platform that knows which tokens are good, and counts what it is asked. */
function createPlatform() {
  const good = { access: 'access-1', refresh: 'refresh-1' };
  const asked: string[] = [];
  const refuse = () => Promise.reject(new DomainError('platform_refused'));
  const platform: ChatPlatform = {
    identity: 'tests',
    authorizeUrl: refuse,
    exchangeCode: refuse,
    fetchUser: refuse,
    fetchChatRoles: refuse,
    async fetchGuilds(accessToken) {
      asked.push(`guilds ${accessToken}`);
      return accessToken === good.access ? [GUILD] : refuse();
    },
    async refresh(refreshToken): Promise<ChatTokens> {
      asked.push(`refresh ${refreshToken}`);
      if (refreshToken !== good.refresh) {
        return refuse();
      }
      Object.assign(good, { access: 'access-2', refresh: 'refresh-2' });
      return { accessToken: 'access-2', refreshToken: 'refresh-2', expiresAtMs: Number.MAX_SAFE_INTEGER };
    },
  };
  return { platform, asked, good };
}

async function openSessions(changes: { refreshToken?: string | undefined; tokensLifetimeMs?: number } = {}) {
  const { tokensLifetimeMs = HOUR_MS } = changes;
  const refreshToken = 'refreshToken' in changes ? changes.refreshToken : 'refresh-1';
  const { store } = await openTestStore();
  const clock = createTestClock();
  const sealer = createSealer('a secret of at least 32 characters', testIds);
  const { platform, asked, good } = createPlatform();
  const nowMs = clock.nowMs();
  const tokenHash = hashOfSession(TOKEN, platform);
  const tokens = { accessToken: 'access-1', refreshToken, expiresAtMs: nowMs + tokensLifetimeMs };
  const session: Session = {
    tokenHash,
    user: { chatId: '1', name: 'Olga', avatar: undefined },
    guilds: [],
    sealedTokens: sealTokens(sealer, tokens, tokenHash),
    tokensExpireAtMs: tokens.expiresAtMs,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + 12 * HOUR_MS,
  };
  await store.sessions.insert(session);
  const parts = { platform, sealer, clock, pause, roles, guildStore };
  const sessions = createSessions({ store: store.sessions, ...parts });
  return { store: store.sessions, sessions, session, clock, sealer, asked, good, platform };
}

describe('asking for the managed guilds', () => {
  test('uses the token at hand and remembers the answer', async () => {
    const { sessions, session, store, asked } = await openSessions();
    expect(await sessions.askManagedGuilds(session)).toMatchObject([
      { guildId: '1', standing: 'owner', chatRoleIds: [] },
    ]);
    expect(asked).toEqual(['guilds access-1']);
    expect((await store.find(session.tokenHash))?.guilds).toHaveLength(1);
  });

  test('replaces a token that is about to expire, and keeps the new pair encrypted', async () => {
    const { sessions, session, store, asked, sealer } = await openSessions({ tokensLifetimeMs: 60_000 });
    await sessions.askManagedGuilds(session);
    expect(asked).toEqual(['refresh refresh-1', 'guilds access-2']);
    const kept = await store.find(session.tokenHash);
    expect(kept?.tokensExpireAtMs).toBe(Number.MAX_SAFE_INTEGER);
    expect(JSON.parse(sealer.open(kept?.sealedTokens ?? '', session.tokenHash) ?? '')).toEqual({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
    });
  });

  test('replaces a token that was taken back before its time', async () => {
    const { sessions, session, asked, good } = await openSessions();
    good.access = 'another';
    expect(await sessions.askManagedGuilds(session)).toHaveLength(1);
    expect(asked).toEqual(['guilds access-1', 'refresh refresh-1', 'guilds access-2']);
  });

  test('shares one refresh between requests that come together, and with those that come late', async () => {
    const { sessions, session, asked } = await openSessions({ tokensLifetimeMs: 0 });
    await Promise.all([1, 2, 3].map(() => sessions.askManagedGuilds(session)));
    await sessions.askManagedGuilds(session);
    expect(asked.filter((entry) => entry.startsWith('refresh'))).toEqual(['refresh refresh-1']);
  });

  test.each([
    ['the platform takes its tokens no more', { refreshToken: 'refresh-0', tokensLifetimeMs: 0 }],
    ['there is nothing to refresh with', { refreshToken: undefined, tokensLifetimeMs: 0 }],
  ])('ends the session when %s', async (_name, changes) => {
    const { sessions, session, store } = await openSessions(changes);
    await expect(sessions.askManagedGuilds(session)).rejects.toMatchObject({ code: 'session_required' });
    expect(await store.find(session.tokenHash)).toBeUndefined();
  });

  test('ends the session when the secret was replaced, since its tokens cannot be read', async () => {
    const { session, store, platform, clock } = await openSessions();
    const sealer = createSealer('another secret of at least 32 characters', testIds);
    const sessions = createSessions({ store, platform, sealer, clock, pause, roles, guildStore });
    await expect(sessions.askManagedGuilds(session)).rejects.toMatchObject({ code: 'session_required' });
    expect(await store.find(session.tokenHash)).toBeUndefined();
  });

  test('leaves the session alone while the platform is out of reach', async () => {
    const { session, store, platform, sealer, clock } = await openSessions();
    const fetchGuilds = () => Promise.reject(new DomainError('platform_unavailable'));
    const sessions = createSessions({
      store,
      platform: { ...platform, fetchGuilds },
      sealer,
      clock,
      pause,
      roles,
      guildStore,
    });
    await expect(sessions.askManagedGuilds(session)).rejects.toMatchObject({ code: 'platform_unavailable' });
    expect(await store.find(session.tokenHash)).toEqual(session);
  });
});

describe('looking a session up', () => {
  test('writes its last sight once a minute and not at every look', async () => {
    const { sessions, session, store, clock } = await openSessions();
    clock.advance(59_999);
    await sessions.find(TOKEN);
    expect((await store.find(session.tokenHash))?.lastSeenAtMs).toBe(session.lastSeenAtMs);
    clock.advance(1);
    await sessions.find(TOKEN);
    expect((await store.find(session.tokenHash))?.lastSeenAtMs).toBe(clock.nowMs());
  });

  test('finds none that was begun with another platform or application', async () => {
    const { store, platform, sealer, clock } = await openSessions();
    const other = { ...platform, identity: 'another one' };
    const sessions = createSessions({ store, platform: other, sealer, clock, pause, roles, guildStore });
    await expect(sessions.find(TOKEN)).rejects.toMatchObject({ code: 'session_required' });
  });

  test('works while the store takes no writes', async () => {
    const { store, platform, sealer, clock } = await openSessions();
    const touch = () => Promise.reject(new DomainError('store_unavailable'));
    const full: SessionStore = { ...store, touch };
    clock.advance(HOUR_MS);
    const sessions = createSessions({ store: full, platform, sealer, clock, pause, roles, guildStore });
    expect((await sessions.find(TOKEN)).user.name).toBe('Olga');
  });
});

describe('what is sealed', () => {
  const sealer = createSealer('a secret of at least 32 characters', testIds);

  test('comes back under its own label and nowhere else, and never looks the same twice', () => {
    const sealed = sealer.seal('the token', 'row 1');
    expect(sealer.open(sealed, 'row 1')).toBe('the token');
    expect(sealer.open(sealed, 'row 2')).toBeUndefined();
    expect(sealer.seal('the token', 'row 1')).not.toBe(sealed);
    expect(sealed).not.toContain('token');
  });

  test('does not open when it was cut, changed or never sealed', () => {
    const bytes = Buffer.from(sealer.seal('the token', 'row'), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(sealer.open(changed.toString('base64url'), 'row')).toBeUndefined();
      expect(sealer.open(bytes.subarray(0, index).toString('base64url'), 'row')).toBeUndefined();
    }
    expect(sealer.open('', 'row')).toBeUndefined();
  });
});

test.each([
  [{ isOwner: true, permissions: 0n }, 'owner'],
  [{ permissions: 0x8n }, 'admin'],
  [{ permissions: 0x28n }, 'admin'],
  [{ permissions: 0x20n }, 'manager'],
  [{ permissions: (1n << 70n) | 0x20n }, 'manager'],
  [{ permissions: (1n << 70n) | 0x8n }, 'admin'],
  [{ permissions: ((1n << 70n) - 1n) & ~0x28n }, undefined],
  [{ permissions: 0n }, undefined],
])('with %o one is %s', async (rights, standing) => {
  const { platform } = createPlatform();
  const fetchGuilds = async () => [{ ...GUILD, isOwner: false, ...rights }];
  const person = { chatId: '1', accessToken: 'access-1' };
  const guilds = await openGuilds(person, { platform: { ...platform, fetchGuilds }, roles, guildStore });
  expect(guilds[0]?.standing).toBe(standing);
});
