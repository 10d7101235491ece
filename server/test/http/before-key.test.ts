import { expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/model.ts';
import { untilTrue } from '../support/patience.ts';
import { sendRaw } from '../support/raw-http.ts';
import { GUILD, keyOrder, keysPath, startDashboardService } from './dashboard-service.ts';
import { FLUSH_MS } from './logged-key.ts';
import { CODES } from './refusal-codes.ts';

test('a request that is refused before its key is read is in no log, also when the key keeps all', async () => {
  const service = await startDashboardService({ keyUsageFlushMs: FLUSH_MS });
  const olga = await service.signIn('olga');
  const { body } = await olga.change('POST', keysPath(GUILD), keyOrder(service, { scopes: SCOPES }));
  const { id, key } = body.data;
  await olga.change('PUT', `${keysPath(GUILD)}/${id}`, { keepAllHours: 1 });
  const port = Number(new URL(service.address).port);
  const send = (line: string, ...headers: string[]) =>
    sendRaw(
      port,
      `${[`${line} HTTP/1.1`, 'host: x', `x-api-key: ${key}`, 'connection: close', ...headers].join('\r\n')}\r\n\r\n`,
    );
  const early = {
    path_not_found: await send('GET /guild/nothing'),
    method_not_allowed: await send('DELETE /guild/ledger'),
    headers_too_large: await send('GET /guild/key', `x-long: ${'x'.repeat(20_000)}`),
    expectation_failed: await send('GET /guild/key', 'expect: something'),
  };
  expect(Object.values(early).map(({ status }) => status)).toEqual([404, 405, 431, 417]);
  const reasons = Object.keys(early).map((code) => CODES[code as keyof typeof early]);
  expect(new Set(reasons)).toEqual(new Set(['refused before the key is read']));
  const marker = await send('GET /guild/key');
  expect(marker.status).toBe(200);
  const path = `/dashboard/api/guilds/${GUILD}/requests?keyId=${id}`;
  const logged = async () => (await olga.go(path)).body.data.requests;
  await untilTrue(async () => (await logged()).length > 0);
  expect((await logged()).map(({ requestId }: { requestId: string }) => requestId)).toEqual([
    marker.headers['x-request-id'],
  ]);
  await service.stop();
});
