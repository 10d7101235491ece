import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSampleData } from '../../src/demo/sample-data/index.ts';
import { createSignInPeople, SAMPLE_CHAT_ROLE } from '../../src/demo/sample-data/sign-in-people.ts';
import { CLIENT_ID, startTestPlatform, type TestPlatform } from '../support/chat-platform.ts';
import { createTestClock } from '../support/clock.ts';

const SEED = 7;
const people = createSignInPeople({ seed: SEED });
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform([...people, marked()], createTestClock());
});
afterAll(() => platform.close());

function marked() {
  return { chatId: '1"><script>', username: '<img src=x>', about: `'"&`, guilds: [] };
}

function address(changes: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    scope: 'identify guilds',
    state: 'the state',
    redirect_uri: 'http://127.0.0.1:1/dashboard/api/callback',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...changes,
  });
  return `${platform.origin}/oauth2/authorize?${query}`;
}

describe('the consent page', () => {
  test('offers every person, without any script and with all markup made harmless', async () => {
    const reply = await fetch(address());
    const page = await reply.text();
    for (const { username, about } of people) {
      expect(page).toContain(username);
      expect(page).toContain(about);
    }
    expect(page).not.toMatch(/<script|<img/);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:1");
  });

  test.each([
    { client_id: 'another' },
    { response_type: 'token' },
    { code_challenge_method: 'plain' },
    { code_challenge: '' },
    { redirect_uri: 'https://evil.example/dashboard/api/callback' },
    { redirect_uri: 'http://127.0.0.1.evil.example/dashboard/api/callback' },
    { redirect_uri: 'http://127.0.0.1:1/elsewhere' },
    { redirect_uri: 'nonsense' },
  ])('is not shown for %j, and nobody is sent anywhere', async (changes) => {
    const body = new URLSearchParams({ person: people[0]?.chatId ?? '' });
    for (const init of [{}, { method: 'POST', body }]) {
      const reply = await fetch(address(changes), { ...init, redirect: 'manual' });
      expect(reply.status).toBe(400);
      expect(reply.headers.get('location')).toBeNull();
    }
  });

  test('knows nobody who is not on it', async () => {
    const body = new URLSearchParams({ person: 'nobody' });
    expect((await fetch(address(), { method: 'POST', body, redirect: 'manual' })).status).toBe(400);
  });

  test('a form without end is not read to it', async () => {
    const reply = await fetch(address(), { method: 'POST', body: 'x'.repeat(100_000) }).catch(
      () => undefined,
    );
    expect(reply?.status ?? 500).toBe(500);
  });
});

describe('the sample people', () => {
  const data = createSampleData({ nowMs: Date.parse('2026-06-15T12:00:00Z'), seed: SEED });

  test('are people of the sample data', () => {
    const known = new Map(data.verifications.map(({ chatId, username }) => [chatId, username]));
    for (const { chatId, username } of people) {
      expect(known.get(chatId)).toBe(username);
    }
  });

  test('are an owner, an admin, a manager, a member, the owner of a guild without a plan, and one by a chat role', () => {
    const [first] = data.guilds;
    const planless = data.guilds.find(({ plan }) => plan === 'none');
    const rights = people.map(({ guilds }) => guilds.find(({ guildId }) => guildId === first?.guildId));
    expect(people[0]?.chatId).toBe(first?.ownerChatId);
    expect(rights[0]?.owner).toBe(true);
    expect(rights.slice(1, 3).map((guild) => guild?.permissions)).toEqual(['8', '32']);
    const member = BigInt(rights[3]?.permissions ?? 0);
    expect(member & 0x28n).toBe(0n);
    expect(member > 2n ** 53n).toBe(true);
    expect(people[4]?.chatId).toBe(planless?.ownerChatId);
    expect(people[4]?.guilds).toMatchObject([{ guildId: planless?.guildId, owner: true }]);
    expect(rights[5]).toMatchObject({
      permissions: rights[3]?.permissions,
      roles: [SAMPLE_CHAT_ROLE.chatRoleId],
    });
  });

  test('include a guild that the service was never told about', () => {
    const known = new Set(data.guilds.map(({ guildId }) => guildId));
    const unknown = people.flatMap(({ guilds }) => guilds).filter(({ guildId }) => !known.has(guildId));
    expect(unknown).toHaveLength(1);
  });
});
