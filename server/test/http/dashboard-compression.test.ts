import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DashboardService,
  GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  for (const digit of ['5', '6', '7', '8']) await service.foundGuild(`${digit}491363316481801678`, 'olga');
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

const ask = (path: string, accepted: string) =>
  olga.go(`/dashboard/api${path}`, { headers: { 'accept-encoding': accepted } });

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
])(
  'a long answer to a page that accepts %s is sent as %s, with the same content',
  async (accepted, encoding) => {
    const plain = await ask('/guilds', 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('accept-encoding');
    const compressed = await ask('/guilds', accepted);
    expect(compressed.headers.get('content-encoding')).toBe(encoding);
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    expect(compressed.text).toBe(plain.text);
  },
);

test('the answer with the CSRF token is not compressed', async () => {
  const { body, headers } = await ask('/session', 'br, gzip');
  expect(body.data.csrfToken).toBe(olga.csrfToken);
  expect(headers.get('content-encoding')).toBeNull();
});

test('short answers and refusals are not compressed', async () => {
  expect((await ask(`/guilds/${GUILD}/keys`, 'br')).headers.get('content-encoding')).toBeNull();
  expect((await ask('/guilds/1/keys', 'br')).headers.get('content-encoding')).toBeNull();
});
