import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('the pages learn the command of this installation without a session', async () => {
  const { status, body } = await service.send({ method: 'GET', url: '/dashboard/api/about' });
  expect(status).toBe(200);
  // The tests run in a checkout.
  expect(body).toEqual({ success: true, data: { command: 'npx guildbook' } });
});
