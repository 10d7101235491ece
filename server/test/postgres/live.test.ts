import { expect, test } from 'vitest';
import { GUILD, startDashboardService } from '../http/dashboard-service.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startTestService, transactionBody } from '../support/service.ts';
import { createDatabase } from './database.ts';

test('a post through one instance shows on a stream of another', async () => {
  const database = await createDatabase();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  const watched = await startDashboardService({}, settings);
  const posting = await startTestService(settings);
  try {
    const { cookies } = await watched.signIn('olga');
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const url = new URL(`/dashboard/api/guilds/${GUILD}/events`, watched.address);
    const stream = await openEventStream(url, { cookie });
    const { value: key } = await posting.addKey(GUILD);
    for (const number of [1, 2, 3]) {
      const reply = await posting.send({
        method: 'POST',
        url: '/guild/ledger',
        key,
        payload: transactionBody({ playerId: `p${number}` }),
      });
      expect(reply.status).toBe(200);
      expect(await stream.until(number)).toEqual({
        id: String(number),
        event: 'transactions',
        data: { count: 1, playerIds: [`p${number}`] },
      });
    }
  } finally {
    await posting.stop();
    await watched.stop();
    await database.remove();
  }
});
