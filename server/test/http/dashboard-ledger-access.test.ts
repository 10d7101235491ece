import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DashboardService,
  GUILD,
  NO_GUILD,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
  UNKNOWN_GUILD,
} from './dashboard-service.ts';
import { guildPath } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

const READS = [
  '/overview',
  '/players',
  '/players/1',
  '/players/1/transactions',
  '/players/1/transactions.csv',
  '/transactions',
  '/transactions.csv',
];
const CORRECTION = { name: 'x', quantity: 1, amount: 1 };
const correctionPath = (guildId: string) => guildPath('/players/1/transactions', guildId);

describe.each(READS)('GET ...%s', (rest) => {
  test('needs a session', async () => {
    const reply = await service.openBrowser().go(guildPath(rest));
    expect(reply.status).toBe(401);
    expect(reply.text).toBe(
      '{"success":false,"message":"Unauthorized - sign in first","code":"session_required"}',
    );
  });

  test.each([OTHER_GUILD, 'nowhere', '%00'])(
    'answers for guild %s as for one that is not there',
    async (guildId) => {
      const reply = await olga.go(guildPath(rest, guildId));
      expect(reply.status).toBe(404);
      expect(reply.text).toBe(NO_GUILD);
    },
  );

  test('answers a member without rights as if there were no guild', async () => {
    const memo = await service.signIn('memo');
    expect((await memo.go(guildPath(rest, GUILD))).text).toBe(NO_GUILD);
  });

  test('knows no guild that the service does not know, though the person manages it', async () => {
    expect((await olga.go(guildPath(rest, UNKNOWN_GUILD))).text).toBe(NO_GUILD);
  });

  test('serves a guild without a plan', async () => {
    const pia = await service.signIn('pia');
    expect((await pia.go(guildPath(rest, PLANLESS_GUILD))).status).toBe(200);
  });

  test('takes no key of the interface in place of a session', async () => {
    const { value } = await service.addKey(GUILD);
    const reply = await service.send({ method: 'GET', url: guildPath(rest), key: value });
    expect(reply.status).toBe(401);
  });
});

describe('a correction', () => {
  test('needs a session', async () => {
    const reply = await service.openBrowser().go(correctionPath(GUILD), {
      method: 'POST',
      json: CORRECTION,
      headers: { origin: service.address },
    });
    expect(reply.status).toBe(401);
  });

  test.each([OTHER_GUILD, UNKNOWN_GUILD, 'nowhere'])('of guild %s finds no guild', async (guildId) => {
    const reply = await olga.change('POST', correctionPath(guildId), CORRECTION);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ success: false, message: 'Guild not found', code: 'guild_not_found' });
    expect(service.db.prepare('SELECT count(*) AS count FROM ledger_transaction').get()?.count).toBe(0);
  });
});
