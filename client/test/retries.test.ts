import {
  type ClientOptions,
  createClient,
  type GuildbookClient,
  type GuildbookError,
} from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilTrue } from '../../server/test/support/patience.ts';
import { readRetryAfterMs } from '../src/retry-after.ts';
import { type Conduct, findDeadAddress, startGateway } from './support/gateway.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { transaction } from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

describe('a connection that cannot be made', () => {
  /** A client of nobody, whose waits take no time and are written down. */
  async function connectNowhere(
    options: Partial<ClientOptions> = {},
  ): Promise<{ client: GuildbookClient; waits: number[] }> {
    const baseUrl = await findDeadAddress();
    const waits: number[] = [];
    let nowMs = 0;
    const clock = {
      nowMs: () => nowMs,
      async sleep(ms: number) {
        waits.push(ms);
        nowMs += ms;
      },
    };
    const client = createClient({ baseUrl, apiKey: 'gbk_any', clock, random: () => 0.5, ...options });
    return { client, waits };
  }

  test('is tried again after waits that double, cut by chance, up to a ceiling', async () => {
    const { client, waits } = await connectNowhere();
    const error = await refusalOf(client.getDischarge('dis_1'));
    expect(error).toMatchObject({ kind: 'connection', status: undefined, requestId: undefined });
    expect(error.message).toBe('The connection failed: ECONNREFUSED');
    expect(waits).toEqual([50, 100, 200, 400, 800, 1_600, 2_500, 2_500]);
  });

  test.each([
    [0, [0, 0]],
    [0.5, [50, 100]],
    [0.75, [75, 150]],
  ])('with the chance %d it waits %j', async (chance, expected) => {
    const { client, waits } = await connectNowhere({ retries: 2, random: () => chance });
    await refusalOf(client.listCommands());
    expect(waits).toEqual(expected);
  });

  test('is not waited for beyond the time of the call', async () => {
    const { client, waits } = await connectNowhere({ timeoutMs: 1_000 });
    expect(await refusalOf(client.getUser('x'))).toMatchObject({ kind: 'connection' });
    expect(waits).toEqual([50, 100, 200, 400]);
  });

  test('leaves the key of a post to go on with', async () => {
    const told = await connectNowhere({ retries: 1, createIdempotencyKey: () => 'made-up' });
    expect(await refusalOf(told.client.postTransaction(transaction()))).toMatchObject({
      kind: 'connection',
      idempotencyKey: 'made-up',
    });
    const { client } = await connectNowhere();
    const { idempotencyKey } = await refusalOf(client.postTransaction(transaction()));
    expect(idempotencyKey).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('an answer lost on the way', () => {
  /** The service has posted it, and the caller does not hear of it. */
  const losses: [string, Conduct][] = [
    [
      'the connection breaks',
      async (request, _response, passOn) => {
        await passOn();
        request.socket.destroy();
      },
    ],
    [
      'the body breaks off',
      async (request, response, passOn) => {
        const answer = await passOn();
        response.writeHead(200, { 'content-length': 1_000 });
        response.write(await answer.text(), () => request.socket.destroy());
      },
    ],
    [
      'the proxy answers 502',
      async (_request, response, passOn) => {
        await passOn();
        response.writeHead(502).end('<html>Bad Gateway</html>');
      },
    ],
    [
      'the proxy answers 504',
      async (_request, response, passOn) => {
        await passOn();
        response.writeHead(504, { 'retry-after': '0' }).end();
      },
    ],
  ];

  test.each(losses)('%s: the post is sent again, and counts once', async (_name, loss) => {
    const baseUrl = await startGateway(place.address, [loss, loss]);
    const before = countTransactions(place.file);
    const posted = await place.connect({ baseUrl }).postTransaction(transaction());
    expect(posted).toMatchObject({ type: 'deposit', replayed: true });
    expect(countTransactions(place.file)).toBe(before + 1);
  });

  test('a read is sent again as well', async () => {
    const baseUrl = await startGateway(
      place.address,
      losses.map(([, loss]) => loss),
    );
    expect(await place.connect({ baseUrl }).getDischarge('dis_1')).toMatchObject({ id: 'dis_1' });
  });
});

describe('a rate limit', () => {
  test('is told, with the time to wait, when no attempts are left', async () => {
    const client = place.connect({ retries: 0 });
    let error: GuildbookError | undefined;
    // A machine that is too busy may take longer than the second in which more than ten are refused.
    await untilTrue(async () => {
      const calls = await Promise.allSettled(Array.from({ length: 30 }, () => client.listTransactions('x')));
      [error] = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
      return error?.kind === 'rate-limited';
    });
    expect(error).toMatchObject({
      kind: 'rate-limited',
      status: 429,
      message: 'Too many requests - limit is 10 requests per second',
    });
    expect(error?.retryAfterMs).toBeGreaterThan(0);
    expect(error?.retryAfterMs).toBeLessThanOrEqual(1_000);
  });

  test('that asks for more time than the call has is not waited for', async () => {
    // After a hundred failed authentications the service asks for most of a minute.
    const waits: number[] = [];
    const clock = {
      nowMs: () => 0,
      async sleep(ms: number) {
        waits.push(ms);
      },
    };
    const options = { baseUrl: place.address, apiKey: 'gbk_wrong' };
    await Promise.allSettled(Array.from({ length: 100 }, () => createClient(options).getUser('x')));
    const error = await refusalOf(createClient({ ...options, clock }).getUser('x'));
    expect(error).toMatchObject({
      kind: 'rate-limited',
      message: 'Too many requests - too many failed authentications',
    });
    expect(error.retryAfterMs).toBeGreaterThan(30_000);
    expect(waits).toEqual([]);
  });
});

test('a service that stays unavailable is given up in the end', async () => {
  const refuse: Conduct = (_request, response) => {
    response.writeHead(503, { 'retry-after': '0' }).end('down for maintenance');
  };
  const baseUrl = await startGateway(place.address, [refuse, refuse, refuse]);
  const client = place.connect({ baseUrl, retries: 2, random: () => 0 });
  expect(await refusalOf(client.getDischarge('dis_1'))).toMatchObject({
    kind: 'unavailable',
    status: 503,
    retryAfterMs: 0,
  });
  expect(await client.getDischarge('dis_1')).toMatchObject({ id: 'dis_1' });
});

describe('what will not pass', () => {
  test('is sent once', async () => {
    let sent = 0;
    const client = place.connect({
      fetch(url, init) {
        sent += 1;
        return fetch(url, init);
      },
    });
    await refusalOf(client.getDischarge('dis_9'));
    await refusalOf(client.postTransaction(transaction({ amount: 0 })));
    expect(sent).toBe(2);
  });

  test('not even an error of the server is repeated', async () => {
    let sent = 0;
    const fail: Conduct = (_request, response) => {
      sent += 1;
      response
        .writeHead(500, { 'x-request-id': 'r-1' })
        .end('{"success":false,"message":"Internal server error"}');
    };
    const baseUrl = await startGateway(place.address, [fail]);
    expect(await refusalOf(place.connect({ baseUrl }).getDischarge('dis_1'))).toMatchObject({
      kind: 'server-error',
      status: 500,
      message: 'Internal server error',
      requestId: 'r-1',
    });
    expect(sent).toBe(1);
  });
});

describe('how long to wait', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

  test.each([
    [429, {}, undefined],
    [503, { 'retry-after': '2' }, 2_000],
    [429, { 'retry-after': '1', 'x-ratelimit-reset-after': '0.734' }, 734],
    [429, { 'x-ratelimit-reset-after': '0.734' }, 734],
    [429, { 'retry-after': '30', 'x-ratelimit-reset-after': '0.734' }, 30_000],
    // Here it is not the rate limit that has to be waited for.
    [503, { 'retry-after': '1', 'x-ratelimit-reset-after': '0.734' }, 1_000],
    [503, { 'retry-after': 'soon' }, undefined],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [503, { 'retry-after': inAnHour }, expect.closeTo(3_600_000, -6)],
  ])('%d %j', (status, headers, expected) => {
    expect(readRetryAfterMs(status, new Headers(Object.entries(headers)))).toEqual(expected);
  });
});
