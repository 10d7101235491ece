import { describe, expect, onTestFinished, test } from 'vitest';
import { createOAuthPlatform } from '../../src/chat-platform/oauth.ts';
import { createSealer } from '../../src/domain/access/sealing.ts';
import { hashOfSession } from '../../src/domain/access/session-token.ts';
import { sealTokens } from '../../src/domain/access/session-tokens.ts';
import { createSessions } from '../../src/domain/access/sessions.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { Session } from '../../src/domain/model.ts';
import type { ChatPlatform, SessionStore } from '../../src/domain/ports.ts';
import { CLIENT_ID, CLIENT_SECRET, startTestPlatform } from '../support/chat-platform.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';
import { openTestStore } from '../support/open-store.ts';

const HOUR_MS = 3_600_000;
const TOKEN = 'T'.repeat(43);
const VERIFIER = 'v'.repeat(43);
const REDIRECT_URI = 'http://127.0.0.1:1/dashboard/api/callback';
const GUILDS = [{ guildId: '2', name: 'Two', owner: true, permissions: '0' }];
const MANAGED = [{ guildId: '2', standing: 'owner', chatRoleIds: [] }];

/** A session with tokens of a real platform, whose refresh tokens serve once, in a store that several workers share. */
async function openPlace() {
  const clock = createTestClock();
  const server = await startTestPlatform(
    [{ chatId: '1', username: 'olga', about: '', guilds: GUILDS }],
    clock,
  );
  onTestFinished(() => server.close());
  const platform = createOAuthPlatform({
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authorizeUrl: `${server.origin}/oauth2/authorize`,
    tokenUrl: `${server.origin}/oauth2/token`,
    apiUrl: `${server.origin}/api`,
    clock,
    timeoutMs: 100_000,
  });
  const store = (await openTestStore()).store.sessions;
  const sealer = createSealer('a secret of at least 32 characters', testIds);
  const tokens = await platform.exchangeCode(await signIn(platform));
  const nowMs = clock.nowMs();
  const tokenHash = hashOfSession(TOKEN, platform);
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
  await store.insert(session);
  const signInRequests = server.asked.length;
  return {
    clock,
    store,
    session,
    sealer,
    /** The sessions of one process, with its own cache. */
    createWorker: (own: SessionStore = store, pause = async () => {}) =>
      createSessions({
        store: own,
        platform,
        sealer,
        clock,
        pause,
        roles: { grants: async () => [] },
        guildStore: { findExisting: async () => [] },
      }),
    /** How often a refresh token was used, refused or not. */
    refreshes: () => server.asked.slice(signInRequests).filter((line) => line.endsWith('/token')).length,
  };
}

async function signIn(platform: ChatPlatform) {
  const request = { state: 'state', codeVerifier: VERIFIER, redirectUri: REDIRECT_URI };
  const address = await platform.authorizeUrl(request);
  const form = new URLSearchParams({ person: '1' });
  const reply = await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
  const code = new URL(reply.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { ...request, code };
}

/** The store, and a switch that makes it refuse to change sessions, as a full disk does. */
function createFillable(store: SessionStore) {
  const disk = { isFull: false };
  const fillable: SessionStore = {
    ...store,
    update: (...given) =>
      disk.isFull ? Promise.reject(new DomainError('store_unavailable')) : store.update(...given),
  };
  return { disk, fillable };
}

describe('two workers that refresh the same tokens at the same time', () => {
  test('both go on with what the faster one got, although the slower one was refused', async () => {
    const { clock, store, session, createWorker, refreshes } = await openPlace();
    const [isSaving, maySave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const faster = createWorker({
      ...store,
      async update(...given) {
        isSaving.resolve();
        await maySave.promise;
        return store.update(...given);
      },
    });
    clock.advance(HOUR_MS);
    const first = faster.askManagedGuilds(session);
    await isSaving.promise;
    // The platform has issued new tokens by now, and only the faster worker knows them.
    const slower = createWorker(store, async () => {
      maySave.resolve();
      await first;
    });
    expect(await slower.askManagedGuilds(session)).toMatchObject(MANAGED);
    expect(await first).toMatchObject(MANAGED);
    expect(refreshes()).toBe(2);
    const kept = await store.find(session.tokenHash);
    expect(kept?.sealedTokens).not.toBe(session.sealedTokens);
    expect(await createWorker().askManagedGuilds(await slower.find(TOKEN))).toMatchObject(MANAGED);
    expect(refreshes()).toBe(2);
  });

  test('new tokens are saved although another process sealed the old ones anew meanwhile', async () => {
    const { clock, store, session, sealer, createWorker, refreshes } = await openPlace();
    const { tokenHash, sealedTokens } = session;
    const anew = sealer.seal(sealer.open(sealedTokens, tokenHash) ?? '', tokenHash);
    const worker = createWorker({
      ...store,
      async update(...given) {
        await store.update(tokenHash, { sealedTokens: anew }, sealedTokens);
        return store.update(...given);
      },
    });
    clock.advance(HOUR_MS);
    expect(await worker.askManagedGuilds(session)).toMatchObject(MANAGED);
    const other = createWorker();
    expect(await other.askManagedGuilds(await other.find(TOKEN))).toMatchObject(MANAGED);
    expect(refreshes()).toBe(1);
  });

  test('tokens that were only sealed anew are not taken for others when the platform refuses them', async () => {
    const { clock, store, session, sealer, createWorker, refreshes } = await openPlace();
    const { tokenHash, sealedTokens } = session;
    clock.advance(HOUR_MS);
    const thief = createWorker({ ...store, update: async () => false });
    await thief.askManagedGuilds(session);
    const anew = sealer.seal(sealer.open(sealedTokens, tokenHash) ?? '', tokenHash);
    await store.update(tokenHash, { sealedTokens: anew }, sealedTokens);
    const asking = createWorker().askManagedGuilds(session);
    await expect(asking).rejects.toMatchObject({ code: 'session_required' });
    // Once by each of the two: the platform is not asked again with the same tokens.
    expect(refreshes()).toBe(2);
    expect(await store.find(tokenHash)).toBeUndefined();
  });

  test('end the session when the platform refuses both', async () => {
    const { clock, store, session, createWorker } = await openPlace();
    clock.advance(HOUR_MS);
    // Somebody else has used the refresh token and saved nothing.
    const thief = createWorker({ ...store, update: async () => false });
    await thief.askManagedGuilds(session);
    const asking = [createWorker(), createWorker()].map((worker) => worker.askManagedGuilds(session));
    for (const outcome of await Promise.allSettled(asking)) {
      expect(outcome).toMatchObject({ reason: { code: 'session_required' } });
    }
    expect(await store.find(session.tokenHash)).toBeUndefined();
  });

  test('a session that got other tokens at the last moment is not ended', async () => {
    const { clock, store, session, createWorker } = await openPlace();
    clock.advance(HOUR_MS);
    const fresh = Promise.withResolvers<Parameters<SessionStore['update']>[1]>();
    const faster = createWorker({
      ...store,
      async update(_tokenHash, change) {
        fresh.resolve(change);
        return true;
      },
    });
    await faster.askManagedGuilds(session);
    const slower = createWorker({
      ...store,
      // Between the last look at the session and its end.
      async delete(tokenHash, sealedTokens) {
        await store.update(tokenHash, await fresh.promise);
        return store.delete(tokenHash, sealedTokens);
      },
    });
    expect(await slower.askManagedGuilds(session)).toMatchObject(MANAGED);
    expect(await store.find(session.tokenHash)).toBeDefined();
  });
});

describe('new tokens that cannot be saved', () => {
  test('are used from memory, and saved when the session is next used', async () => {
    const { clock, store, session, createWorker, refreshes } = await openPlace();
    const { disk, fillable } = createFillable(store);
    const worker = createWorker(fillable);
    clock.advance(HOUR_MS);
    disk.isFull = true;
    const asking = worker.askManagedGuilds(await worker.find(TOKEN));
    await expect(asking).rejects.toMatchObject({ code: 'store_unavailable' });
    // The platform's answer counts although the new tokens cannot be stored.
    expect(await worker.askManagedGuilds(await worker.find(TOKEN))).toMatchObject(MANAGED);
    expect(refreshes()).toBe(1);
    expect((await store.find(session.tokenHash))?.sealedTokens).toBe(session.sealedTokens);
    disk.isFull = false;
    await worker.find(TOKEN);
    expect((await store.find(session.tokenHash))?.sealedTokens).not.toBe(session.sealedTokens);
    const other = createWorker();
    expect(await other.askManagedGuilds(await other.find(TOKEN))).toMatchObject(MANAGED);
    expect(refreshes()).toBe(1);
  });

  test('are refreshed in their turn, and the last ones are saved', async () => {
    const { clock, store, createWorker, refreshes } = await openPlace();
    const { disk, fillable } = createFillable(store);
    const worker = createWorker(fillable);
    disk.isFull = true;
    for (let hour = 1; hour <= 3; hour += 1) {
      clock.advance(HOUR_MS);
      const asking = worker.askManagedGuilds(await worker.find(TOKEN));
      await expect(asking).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(refreshes()).toBe(hour);
    }
    disk.isFull = false;
    expect(await worker.askManagedGuilds(await worker.find(TOKEN))).toMatchObject(MANAGED);
    const other = createWorker();
    expect(await other.askManagedGuilds(await other.find(TOKEN))).toMatchObject(MANAGED);
    expect(refreshes()).toBe(3);
  });

  test('do not replace newer ones of another worker, nor bring an ended session back', async () => {
    const { clock, store, session, createWorker } = await openPlace();
    const { disk, fillable } = createFillable(store);
    const worker = createWorker(fillable);
    clock.advance(HOUR_MS);
    disk.isFull = true;
    await expect(worker.askManagedGuilds(session)).rejects.toMatchObject({ code: 'store_unavailable' });
    disk.isFull = false;
    await store.update(session.tokenHash, { sealedTokens: 'newer' });
    expect((await worker.find(TOKEN)).sealedTokens).toBe('newer');
    await store.delete(session.tokenHash);
    await expect(worker.find(TOKEN)).rejects.toMatchObject({ code: 'session_required' });
    expect(await store.find(session.tokenHash)).toBeUndefined();
  });
});
