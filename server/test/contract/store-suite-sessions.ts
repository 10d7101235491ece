import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SESSIONS_PER_USER_MAX } from '../../src/domain/access/personal-bounds.ts';
import { SIGN_INS_UNDER_WAY_MAX } from '../../src/domain/access/sign-ins.ts';
import type { SealedSession, Session } from '../../src/domain/model.ts';
import { anAttempt, aSession, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareCleared } from './store-place.ts';

export function describeSessionStore(createPlace: CreatePlace): void {
  describe('sessions', () => {
    const open = shareCleared(createPlace);
    const userOf = (chatId: string) => ({ chatId, name: `Name of ${chatId}`, avatar: undefined });

    it('a session is found by its hash, whole and expired or not', async () => {
      const { store } = await open();
      const session = aSession({
        guilds: [
          { guildId: '1', name: '<b>"\'🛡', icon: 'i', standing: 'admin', chatRoleIds: [] },
          { guildId: '2', name: 'مجتمع', icon: undefined, standing: 'manager', chatRoleIds: [] },
        ],
      });
      await store.sessions.insert(session);
      expect(await store.sessions.find(session.tokenHash)).toStrictEqual(session);
      const expired = aSession({ guilds: [], expiresAtMs: 1, user: { ...userOf('7'), avatar: undefined } });
      await store.sessions.insert(expired);
      expect(await store.sessions.find(expired.tokenHash)).toStrictEqual(expired);
      expect(await store.sessions.find('another hash')).toBeUndefined();
    });

    it('a hash that only looks alike finds nothing', async () => {
      const { store } = await open();
      for (const [one, other] of LOOKALIKES) {
        await store.sessions.insert(aSession({ tokenHash: one }));
        expect(await store.sessions.find(other)).toBeUndefined();
        await store.sessions.delete(one);
      }
    });

    it('an ended session is not found, and ending it again says so', async () => {
      const { store } = await open();
      const session = aSession();
      const other = aSession();
      await store.sessions.insert(session);
      await store.sessions.insert(other);
      expect(await store.sessions.delete(session.tokenHash)).toBe(true);
      expect(await store.sessions.find(session.tokenHash)).toBeUndefined();
      expect(await store.sessions.delete(session.tokenHash)).toBe(false);
      expect(await store.sessions.find(other.tokenHash)).toEqual(other);
    });

    it('the sealed tokens of sessions are read page by page, without those that have expired', async () => {
      const { store } = await open();
      const sessions = Array.from({ length: 5 }, (_, index) =>
        aSession({ sealedTokens: `sealed ${index}`, expiresAtMs: NOON_MS + (index === 2 ? 0 : 1) }),
      );
      for (const session of sessions) {
        await store.sessions.insert(session);
      }
      const read: SealedSession[] = [];
      for (let page: SealedSession[] | undefined; page === undefined || page.length > 0; ) {
        page = await store.sessions.readSealed({ after: read.at(-1), nowMs: NOON_MS, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        read.push(...page);
      }
      expect(read).toStrictEqual(
        sessions
          .filter((_, index) => index !== 2)
          .map(({ tokenHash, sealedTokens }) => ({ sessionNo: expect.any(Number), tokenHash, sealedTokens })),
      );
    });

    it("ending all of a person's sessions ends nobody else's", async () => {
      const { store } = await open();
      const mine = [aSession(), aSession(), aSession()];
      const other = aSession({ user: userOf('9002') });
      for (const session of [...mine, other]) {
        await store.sessions.insert(session);
      }
      expect(await store.sessions.deleteAll('9001')).toBe(3);
      expect(await store.sessions.deleteAll('9001')).toBe(0);
      for (const { tokenHash } of mine) {
        expect(await store.sessions.find(tokenHash)).toBeUndefined();
      }
      expect(await store.sessions.find(other.tokenHash)).toEqual(other);
    });

    it('the last sight moves forward and never back', async () => {
      const { store } = await open();
      const { tokenHash } = aSession();
      await store.sessions.insert(aSession({ tokenHash }));
      await store.sessions.touch(tokenHash, NOON_MS + 5);
      await store.sessions.touch(tokenHash, NOON_MS + 3);
      expect((await store.sessions.find(tokenHash))?.lastSeenAtMs).toBe(NOON_MS + 5);
      await store.sessions.touch('nobody', NOON_MS);
    });

    it('an update replaces what is given, leaves the rest, and brings no ended session back', async () => {
      const { store } = await open();
      const session = aSession();
      await store.sessions.insert(session);
      await store.sessions.update(session.tokenHash, { guilds: [] });
      expect(await store.sessions.find(session.tokenHash)).toEqual({ ...session, guilds: [] });
      await store.sessions.update(session.tokenHash, { sealedTokens: 'new', tokensExpireAtMs: 7 });
      expect(await store.sessions.find(session.tokenHash)).toEqual({
        ...session,
        guilds: [],
        sealedTokens: 'new',
        tokensExpireAtMs: 7,
      });
      await store.sessions.delete(session.tokenHash);
      await store.sessions.update(session.tokenHash, { sealedTokens: 'ghost' });
      expect(await store.sessions.find(session.tokenHash)).toBeUndefined();
    });

    it('with the tokens it is to have, a session is updated and ended only while it has them', async () => {
      const { store } = await open();
      const session = aSession({ sealedTokens: 'first' });
      const { tokenHash } = session;
      await store.sessions.insert(session);
      const second = { sealedTokens: 'second', tokensExpireAtMs: 8 };
      expect(await store.sessions.update(tokenHash, second, 'first')).toBe(true);
      expect(await store.sessions.update(tokenHash, { sealedTokens: 'late', guilds: [] }, 'first')).toBe(
        false,
      );
      expect(await store.sessions.delete(tokenHash, 'first')).toBe(false);
      expect(await store.sessions.find(tokenHash)).toEqual({ ...session, ...second });
      expect(await store.sessions.update('nobody', second, 'first')).toBe(false);
      expect(await store.sessions.delete(tokenHash, 'second')).toBe(true);
      expect(await store.sessions.find(tokenHash)).toBeUndefined();
    });

    it('of many who replace the same tokens at once one does', async () => {
      const { store, openAnother } = await open();
      const stores = [store, await openAnother()];
      const session = aSession({ sealedTokens: 'first' });
      await store.sessions.insert(session);
      const replacing = Array.from({ length: 20 }, (_, index) =>
        stores[index % 2]?.sessions.update(session.tokenHash, { sealedTokens: `new ${index}` }, 'first'),
      );
      const winners = (await Promise.all(replacing)).flatMap((isDone, index) => (isDone ? [index] : []));
      expect(winners).toHaveLength(1);
      expect((await store.sessions.find(session.tokenHash))?.sealedTokens).toBe(`new ${winners[0]}`);
    });

    it('a new session clears away those that had expired by then, and no others', async () => {
      const { store } = await open();
      const gone = aSession({ expiresAtMs: NOON_MS + 10 });
      const left = aSession({ expiresAtMs: NOON_MS + 11 });
      await store.sessions.insert(gone);
      await store.sessions.insert(left);
      await store.sessions.insert(aSession({ createdAtMs: NOON_MS + 10 }));
      expect(await store.sessions.find(gone.tokenHash)).toBeUndefined();
      expect(await store.sessions.find(left.tokenHash)).toEqual(left);
    });

    it('a person with too many sessions loses the oldest', async () => {
      const { store } = await open();
      const other = aSession({ user: userOf('9002') });
      await store.sessions.insert(other);
      const sessions = Array.from({ length: SESSIONS_PER_USER_MAX + 2 }, () => aSession());
      for (const session of sessions) {
        await store.sessions.insert(session);
      }
      const found = await Promise.all(sessions.map(({ tokenHash }) => store.sessions.find(tokenHash)));
      expect(found.map((session) => session !== undefined)).toEqual(
        sessions.map((_session, index) => index >= 2),
      );
      expect(await store.sessions.find(other.tokenHash)).toEqual(other);
    });

    it('people are found by a guild of their session, those seen last first, and only while it lasts', async () => {
      const { store } = await open();
      const guild = (guildId: string, chatRoleIds: string[] = []) =>
        ({ guildId, name: 'n', icon: undefined, standing: 'member', chatRoleIds }) as const;
      const add = (chatId: string, guildId: string, changes: Partial<Session> = {}) =>
        store.sessions.insert(
          aSession({ user: userOf(chatId), guilds: [guild('other'), guild(guildId, ['c1'])], ...changes }),
        );
      await add('1', 'a_b', { lastSeenAtMs: NOON_MS + 1 });
      await add('2', 'a_b', { lastSeenAtMs: NOON_MS + 2 });
      await add('3', 'axb');
      await add('4', 'A_B');
      await add('5', 'a_b', { expiresAtMs: NOON_MS + 5 });
      const found = await store.sessions.findByGuild('a_b', NOON_MS + 5);
      expect(found).toEqual([
        { user: userOf('2'), standing: 'member', chatRoleIds: ['c1'], lastSeenAtMs: NOON_MS + 2 },
        { user: userOf('1'), standing: 'member', chatRoleIds: ['c1'], lastSeenAtMs: NOON_MS + 1 },
      ]);
      expect(await store.sessions.findByGuild('%', NOON_MS)).toEqual([]);
    });

    it('people are known after their sessions ended, by the name of their last sign-in', async () => {
      const { store } = await open();
      const first = aSession();
      await store.sessions.insert(first);
      const renamed = { chatId: '9001', name: 'Rowan the Old', avatar: undefined };
      await store.sessions.insert(aSession({ user: renamed }));
      expect((await store.sessions.find(first.tokenHash))?.user).toEqual(renamed);
      await store.sessions.deleteAll('9001');
      expect(await store.sessions.findUsers(['9002', '9001'])).toEqual([renamed]);
      expect(await store.sessions.findUsers([])).toEqual([]);
    });
  });

  describe('sign-ins under way', () => {
    const open = shareCleared(createPlace);

    it('an attempt is given out once, whole, to the browser that began it', async () => {
      const { store } = await open();
      const attempt = anAttempt({ returnTo: '/dashboard/x?y=z' });
      const { stateHash, browserHash } = attempt;
      await store.sessions.insertAttempt(attempt);
      expect(await store.sessions.takeAttempt({ stateHash, browserHash: 'another' })).toBeUndefined();
      expect(await store.sessions.takeAttempt({ stateHash: 'another', browserHash })).toBeUndefined();
      expect(await store.sessions.takeAttempt({ stateHash, browserHash })).toEqual(attempt);
      expect(await store.sessions.takeAttempt({ stateHash, browserHash })).toBeUndefined();
    });

    it('of many who take it at once one gets it', async () => {
      const { store, openAnother } = await open();
      const stores = [store, await openAnother()];
      const attempt = anAttempt();
      await store.sessions.insertAttempt(attempt);
      const takes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => stores[index % 2]?.sessions.takeAttempt(attempt)),
      );
      expect(takes.filter((taken) => taken !== undefined)).toEqual([attempt]);
    });

    it('one browser may have several under way', async () => {
      const { store } = await open();
      const browserHash = randomUUIDv7();
      const attempts = [anAttempt({ browserHash }), anAttempt({ browserHash })];
      for (const attempt of attempts) {
        await store.sessions.insertAttempt(attempt);
      }
      for (const attempt of attempts.reverse()) {
        expect(await store.sessions.takeAttempt(attempt)).toEqual(attempt);
      }
    });

    it('of too many the oldest are forgotten', async () => {
      const { store } = await open();
      const attempts = Array.from({ length: SIGN_INS_UNDER_WAY_MAX + 1 }, () => anAttempt());
      const [oldest = anAttempt(), next = anAttempt()] = attempts;
      await Promise.all(attempts.map((attempt) => store.sessions.insertAttempt(attempt)));
      expect(await store.sessions.takeAttempt(oldest)).toBeUndefined();
      expect(await store.sessions.takeAttempt(next)).toEqual(next);
    });

    it('a new attempt clears away those that had expired by then, and no others', async () => {
      const { store } = await open();
      const gone = anAttempt({ expiresAtMs: NOON_MS + 10 });
      const left = anAttempt({ expiresAtMs: NOON_MS + 11 });
      await store.sessions.insertAttempt(gone);
      await store.sessions.insertAttempt(left);
      await store.sessions.insertAttempt(anAttempt({ createdAtMs: NOON_MS + 10 }));
      expect(await store.sessions.takeAttempt(gone)).toBeUndefined();
      expect(await store.sessions.takeAttempt(left)).toEqual(left);
    });
  });
}
