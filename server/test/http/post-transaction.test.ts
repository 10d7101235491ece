import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  await service.addGuild('g1');
  key = (await service.addKey('g1')).value;
});
afterAll(() => service.stop());

function post(payload: unknown, headers: Record<string, string> = {}) {
  service.clock.advance(1_001);
  return service.send({ method: 'POST', url: '/guild/ledger', key, headers, payload: payload as object });
}

test('a deposit is posted and answered to the letter', async () => {
  const reply = await post(transactionBody());
  expect(reply.status).toBe(200);
  expect(reply.text).toBe('{"success":true,"message":"Transaction Posted (deposit)","type":"deposit"}');
});
