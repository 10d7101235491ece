import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver } from '../support/webhook-receiver.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService({}, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

const path = (rest = '', guildId = GUILD) => `/dashboard/api/guilds/${guildId}/webhooks${rest}`;

test('a manager makes, tests, rotates, changes and deletes a webhook of their guild', async () => {
  const receiver = await startReceiver((response) => response.writeHead(410).end());
  const payload = { url: receiver.url, kind: 'standard', events: ['transaction.posted'] };
  const made = await olga.change('POST', path(), payload);
  expect(made.body.data.secret).toMatch(/^whsec_/);
  const { id } = made.body.data.webhook;
  const tested = await olga.change('POST', path(`/${id}/test`), {});
  expect(tested.body.data.attempt).toMatchObject({ status: 410, error: 'answered 410' });
  const rotated = await olga.change('POST', path(`/${id}/rotate`), {});
  expect(rotated.body.data.secret).not.toBe(made.body.data.secret);
  await olga.change('PUT', path(`/${id}`), { status: 'disabled' });
  const shown = await olga.go(path(`/${id}`));
  expect(shown.body.data).toMatchObject({
    webhook: { id, status: 'disabled', disabledReason: null, failingSince: null },
    attempts: [{ type: 'webhook.test' }],
  });
  expect(shown.text).not.toContain('whsec_');
  expect(
    (await olga.change('POST', path(`/${id}/replay`), { since: made.body.data.webhook.createdAt })).status,
  ).toBe(409);
  expect((await olga.go(path())).body.data.webhooks).toHaveLength(1);
  expect((await olga.change('DELETE', path(`/${id}`))).status).toBe(200);
  expect((await olga.go(path())).body.data.webhooks).toEqual([]);
});

test('a webhook has a name, and a delivery shows its payload and the answer without headers and secrets', async () => {
  const answer = `said ${'x'.repeat(2_000)}`;
  const receiver = await startReceiver((response) => response.writeHead(200).end(answer));
  const order = { name: 'Shop bot', url: receiver.url, kind: 'standard', events: ['transaction.posted'] };
  const made = await olga.change('POST', path(), order);
  const { id } = made.body.data.webhook;
  expect(made.body.data.webhook.name).toBe('Shop bot');
  expect((await olga.change('PUT', path(`/${id}`), { name: '' })).status).toBe(400);
  expect((await olga.change('PUT', path(`/${id}`), { name: null })).body.data.webhook.name).toBeNull();
  const tested = await olga.change('POST', path(`/${id}/test`), {});
  const { id: attemptId } = tested.body.data.attempt;
  const shown = await olga.go(path(`/${id}/attempts/${attemptId}`));
  const { attempt } = shown.body.data;
  expect(attempt).toMatchObject({ ...tested.body.data.attempt, payload: receiver.deliveries[0]?.body });
  expect(JSON.parse(attempt.payload)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
  expect(attempt.answer).toBe(`${answer.slice(0, 1_024)}…`);
  expect(shown.text).not.toMatch(/whsec_|webhook-signature|v1,/);
  const absent = [path(`/${id}/attempts/none`), path(`/none/attempts/${attemptId}`), path('/none')];
  for (const address of absent) expect((await olga.go(address)).body).toEqual({ success: true, data: null });
  expect((await olga.go(path(`/${id}/attempts/${attemptId}`, OTHER_GUILD))).status).toBe(404);
  await olga.change('DELETE', path(`/${id}`));
});

test('nobody else sees or changes anything', async () => {
  const payload = { url: 'http://127.0.0.1:1/', kind: 'standard', events: ['key.*'] };
  expect((await service.openBrowser().go(path())).status).toBe(401);
  expect((await olga.go(path('', OTHER_GUILD))).status).toBe(404);
  expect((await olga.change('POST', path('', OTHER_GUILD), payload)).status).toBe(404);
  expect((await olga.go(path(), { method: 'POST', json: payload })).status).toBe(403);
});
