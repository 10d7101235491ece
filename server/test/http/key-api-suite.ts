import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { depth } from '../support/depth.ts';
import { transactionBody } from '../support/service.ts';
import {
  DISCHARGE,
  type FilledService,
  GUILD_ID,
  OTHER_GUILD_ID,
  startFilledService,
  TRANSFER,
} from './filled-service.ts';

const { id: _discharge, guildId: _guild, ...DISCHARGE_FIELDS } = DISCHARGE;
const { id: _transfer, guildId: _transferGuild, ...TRANSFER_FIELDS } = TRANSFER;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KINDS = [
  { kind: 'discharges', fields: DISCHARGE_FIELDS, absent: 'Discharge not found' },
  { kind: 'transfers', fields: TRANSFER_FIELDS, absent: 'Transfer not found' },
] as const;

/** What a key can do about itself and with its guild's records, on any store. */
export function describeKeyApi(start: () => Promise<FilledService> = startFilledService): void {
  let service: FilledService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  test('a key of any scope learns what it is, and nothing of its value', async () => {
    const { keyId, value } = await service.addKey(GUILD_ID, []);
    const { status, text, body } = await service.ask({ url: '/guild/key', key: value });
    const { prefix, createdAt, expiresAt } = body.data.key;
    expect({ status, text }).toEqual({
      status: 200,
      text:
        `{"success":true,"data":{"key":{"id":"${keyId}","name":"test","prefix":"${prefix}","guildId":"${GUILD_ID}",` +
        `"scopes":[],"createdAt":"${createdAt}","expiresAt":"${expiresAt}","lastUsedAt":null,` +
        '"limits":{"amountMax":null,"withdrawnPerDayMax":null}}}}',
    });
    expect(value.startsWith(prefix)).toBe(true);
    expect(text).not.toContain(value);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
  });

  test('a key deletes itself, once and for good', async () => {
    const { keyId, value } = await service.addKey(GUILD_ID, []);
    const ask = (method: 'GET' | 'DELETE') => service.ask({ method, url: '/guild/key', key: value });
    expect((await ask('DELETE')).text).toBe('{"success":true,"data":{}}');
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await ask(method)).text).toBe(
        '{"success":false,"message":"Unauthorized - invalid API key","code":"unauthorized"}',
      );
    }
    const guild = await service.guilds.find(GUILD_ID);
    const [entry] = await service.store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({
      actor: { kind: 'key', id: keyId },
      action: 'delete',
      subjectKind: 'key',
      subjectId: keyId,
    });
  });

  describe('rotation', () => {
    const identify = (key: string) => service.send({ url: '/guild/key', key });

    test('both values work until the old one’s time, and from then on only the new one', async () => {
      const { keyId, value: old } = await service.addKey(GUILD_ID);
      await identify(old);
      const endsAtMs = service.clock.nowMs() + DAY_MS;
      const { value } = await service.keys.rotate({ keyId }, DAY_MS, TESTER);
      const both = await Promise.all([identify(old), identify(value)]);
      expect(both.map(({ body }) => [body.data.key.id, body.data.key.prefix])).toEqual(
        Array(2).fill([keyId, value.slice(0, 12)]),
      );
      service.clock.advance(endsAtMs - 1 - service.clock.nowMs());
      expect((await identify(old)).status).toBe(200);
      service.clock.advance(1);
      expect((await identify(old)).status).toBe(401);
      expect((await identify(value)).status).toBe(200);
    });

    test('without overlap the old value ends at once, and the rate limit is the key’s, whatever its value', async () => {
      const { keyId, value: old } = await service.addKey(GUILD_ID);
      const { value: between } = await service.keys.rotate({ keyId }, DAY_MS, TESTER);
      const replies = [];
      for (let count = 0; count < 12; count += 1) {
        replies.push((await identify(count % 2 === 0 ? old : between)).status);
      }
      expect(replies).toEqual([...Array(10).fill(200), 429, 429]);
      service.clock.advance(1_001);
      const { value } = await service.keys.rotate({ keyId }, 0, TESTER);
      expect((await identify(old)).status).toBe(401);
      expect((await identify(between)).status).toBe(401);
      expect((await identify(value)).status).toBe(200);
    });

    test('under load neither value is refused before its time or accepted after it', async () => {
      const { keyId, value: old } = await service.addKey(GUILD_ID);
      let present = old;
      for (let turn = 0; turn < depth({ normal: 8, deep: 200 }); turn += 1) {
        service.clock.advance(1_001);
        const former = present;
        const asked = Array.from({ length: 4 }, () => identify(former));
        const rotating = service.keys.rotate({ keyId }, HOUR_MS, TESTER);
        present = (await rotating).value;
        const after = await Promise.all([identify(former), identify(present)]);
        const statuses = [...(await Promise.all(asked)), ...after].map(({ status }) => status);
        expect(statuses).toEqual(Array(6).fill(200));
        service.clock.advance(HOUR_MS);
        expect((await identify(former)).status).toBe(401);
        expect((await identify(present)).status).toBe(200);
      }
    });

    test('an overlap of more than 7 days is refused, and a key that is not there has none', async () => {
      const { keyId } = await service.addKey(GUILD_ID);
      const tooLong = service.keys.rotate({ keyId }, 7 * DAY_MS + 1, TESTER);
      await expect(tooLong).rejects.toMatchObject({ code: 'invalid_input' });
      await service.keys.rotate({ keyId }, 7 * DAY_MS, TESTER);
      const absent = service.keys.rotate({ keyId: 'nothing' }, 0, TESTER);
      await expect(absent).rejects.toMatchObject({ code: 'key_not_found' });
    });
  });

  describe('allowed addresses', () => {
    const from = (key: string, remoteAddress: string) =>
      service.send({ url: '/guild/key', key, remoteAddress });

    test('from elsewhere a key is unknown, at once and to the letter', async () => {
      const { keyId, value } = await service.addKey(GUILD_ID);
      expect((await from(value, '198.51.100.7')).status).toBe(200);
      await service.keys.update({ keyId }, { networks: ['203.0.113.0/24', '2001:DB8::1'] }, TESTER);
      const unknown = await from(`gbk_${'0'.repeat(46)}`, '198.51.100.7');
      for (const [address, status] of [
        ['203.0.113.200', 200],
        ['::ffff:203.0.113.200', 200],
        ['2001:db8::1', 200],
        ['198.51.100.7', 401],
        ['2001:db8::2', 401],
      ] as const) {
        const reply = await from(value, address);
        expect([address, reply.status]).toEqual([address, status]);
        if (status === 401) {
          expect(reply.text).toBe(unknown.text);
        }
      }
      await service.keys.update({ keyId }, { networks: [] }, TESTER);
      expect((await from(value, '198.51.100.7')).status).toBe(200);
    });

    test('requests at the same time are judged each by its own address', async () => {
      const { keyId, value } = await service.addKey(GUILD_ID);
      await service.keys.update({ keyId }, { networks: ['203.0.113.1'] }, TESTER);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => from(value, index % 2 === 0 ? '203.0.113.1' : '203.0.113.2')),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 200, 401, 200, 401, 200, 401]);
    });

    test.each([
      ['300.1.1.1'],
      ['203.0.113.0/33'],
      ['2001:db8::/129'],
      ['fe80::1%eth0'],
      ['somewhere'],
      ['1.2.3.4/8/8'],
    ])('%s is no network', async (network) => {
      const { keyId } = await service.addKey(GUILD_ID);
      const update = service.keys.update({ keyId }, { networks: [network] }, TESTER);
      await expect(update).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('a key has up to 32 networks', async () => {
      const { keyId } = await service.addKey(GUILD_ID);
      const networks = Array.from({ length: 33 }, (_, index) => `10.0.0.${index}`);
      const { networks: set } = await service.keys.update({ keyId }, { networks: networks.slice(1) }, TESTER);
      expect(set).toEqual(networks.slice(1).map((address) => `${address}/32`));
      await expect(service.keys.update({ keyId }, { networks }, TESTER)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });

  describe('limits', () => {
    const refusal = (text: string) => ({ success: false, message: `Forbidden - ${text} of this key` });
    const TOO_LARGE = refusal('the amount is above the limit');
    const TOO_MUCH = refusal('the withdrawals of this day are above the limit');

    async function addLimited(limits: { amountMax: number | null; withdrawnPerDayMax: number | null }) {
      const { keyId, value: key } = await service.addKey(GUILD_ID);
      await service.keys.update({ keyId }, { limits }, TESTER);
      const post = (amount: number, quantity = 1) =>
        service.ask({
          method: 'POST',
          url: '/guild/ledger',
          key,
          payload: transactionBody({ amount, quantity }),
        });
      const send = (url: string, payload: object) => service.ask({ method: 'POST', url, key, payload });
      return { key, post, send };
    }

    test('the key tells its limits, and a post above the largest amount is refused as a whole', async () => {
      const { key, post } = await addLimited({ amountMax: 100.5, withdrawnPerDayMax: null });
      const { body } = await service.ask({ url: '/guild/key', key });
      expect(body.data.key.limits).toEqual({ amountMax: 100.5, withdrawnPerDayMax: null });
      expect((await post(100.5)).status).toBe(200);
      expect((await post(50, 2)).status).toBe(200);
      const before = service.countStored();
      for (const reply of [await post(100.5001), await post(-101), await post(51, 2)]) {
        expect(reply.status).toBe(403);
        expect(reply.body).toEqual(TOO_LARGE);
      }
      expect(service.countStored()).toBe(before);
    });

    test('posts, batches, payments and reversals count towards the withdrawals of a day', async () => {
      const { post, send } = await addLimited({ amountMax: null, withdrawnPerDayMax: 100 });
      expect((await post(-40)).status).toBe(200);
      const item = (amount: number) => transactionBody({ amount, quantity: 1 });
      const batch = await send('/guild/transactions', { transactions: [item(-20), item(10)] });
      expect(batch.status).toBe(200);
      const pay = (amount: number) =>
        send('/guild/payments', { fromPlayerId: 'p', toPlayerId: 'q', amount, name: 'n', source: 's' });
      expect((await pay(20)).status).toBe(200);
      const [deposit] = (await send('/guild/transactions', { transactions: [item(15)] })).body.data.results;
      const reverse = () => send(`/guild/transactions/${deposit.transactionId}/reversal`, {});
      expect((await reverse()).status).toBe(200);
      // 95 of 100 are used up.
      expect((await post(-6)).body).toEqual(TOO_MUCH);
      expect((await pay(6)).body).toEqual({ ...TOO_MUCH, code: 'key_limit_exceeded', data: { position: 0 } });
      const atomic = await send('/guild/transactions', { transactions: [item(-3), item(-3)] });
      expect(atomic.body.data.results.map(({ code }: { code: string | null }) => code)).toEqual([
        null,
        'key_limit_exceeded',
      ]);
      const apart = await send('/guild/transactions', { atomic: false, transactions: [item(-5), item(-1)] });
      expect(apart.body.data.results.map(({ status }: { status: string }) => status)).toEqual([
        'posted',
        'refused',
      ]);
      expect((await post(1)).status).toBe(200);
      service.clock.advance(DAY_MS);
      expect((await post(-100)).status).toBe(200);
    });

    test('limits are amounts of four places, and may be taken away again', async () => {
      const { keyId, value: key } = await service.addKey(GUILD_ID);
      for (const limits of [
        { amountMax: 0 },
        { amountMax: 0.00001 },
        { withdrawnPerDayMax: -1 },
        { amountMax: 1e15 },
      ]) {
        const update = service.keys.update({ keyId }, { limits }, TESTER);
        await expect(update).rejects.toMatchObject({ code: 'invalid_input' });
      }
      await service.keys.update({ keyId }, { limits: { amountMax: 1, withdrawnPerDayMax: 0 } }, TESTER);
      await service.keys.update({ keyId }, { limits: { amountMax: null } }, TESTER);
      const limitsOf = async () => (await service.ask({ url: '/guild/key', key })).body.data.key.limits;
      expect(await limitsOf()).toEqual({ amountMax: null, withdrawnPerDayMax: 0 });
      await service.keys.update({ keyId }, { limits: { withdrawnPerDayMax: null } }, TESTER);
      expect(await limitsOf()).toEqual({ amountMax: null, withdrawnPerDayMax: null });
    });
  });

  describe.each(KINDS)('records by key: $kind', ({ kind, fields, absent }) => {
    const url = `/guild/records/${kind}`;
    const put = (id: string, payload: object, headers: Record<string, string> = {}) =>
      service.ask({ method: 'PUT', url: `${url}/${id}`, payload, headers });

    test('what is put is read, listed and deleted', async () => {
      const record = { id: 'new', guildId: GUILD_ID, ...fields };
      const made = await put('new', fields);
      expect({ status: made.status, body: made.body }).toEqual({
        status: 200,
        body: { success: true, data: { record } },
      });
      const read = await service.ask({ url: `${url}/new` });
      expect(read.text).toBe(made.text);
      expect(read.headers.etag).toBe(made.headers.etag);
      const listed = await service.ask({ url });
      expect(listed.body.data.records).toContainEqual(record);
      const gone = await service.ask({ method: 'DELETE', url: `${url}/new` });
      expect(gone.text).toBe('{"success":true,"data":{}}');
      for (const method of ['GET', 'DELETE'] as const) {
        const again = await service.ask({ method, url: `${url}/new` });
        expect(again.status).toBe(404);
        expect(again.body.message).toBe(absent);
      }
    });

    test('a record without an id gets one, and may not bring its own', async () => {
      const made = await service.ask({ method: 'POST', url, payload: fields });
      expect(made.body.data.record).toEqual({ ...fields, id: made.body.data.record.id, guildId: GUILD_ID });
      expect(made.body.data.record.id).toMatch(/^[0-9a-f-]{36}$/);
      const refused = await service.ask({ method: 'POST', url, payload: { ...fields, id: 'mine' } });
      expect(refused.status).toBe(400);
    });

    test('a change that is meant for another version is refused and changes nothing', async () => {
      const { etag: first } = (await put('guarded', fields)).headers as { etag: string };
      const second = await put('guarded', { ...fields, name: 'Second' }, { 'if-match': first });
      expect(second.status).toBe(200);
      const late = await put('guarded', { ...fields, name: 'Late' }, { 'if-match': first });
      expect(late.text).toBe(
        '{"success":false,"message":"Precondition failed - the record has changed since it was read",' +
          '"code":"record_changed"}',
      );
      expect(late.status).toBe(412);
      const lateDelete = await service.ask({
        method: 'DELETE',
        url: `${url}/guarded`,
        headers: { 'if-match': first },
      });
      expect(lateDelete.status).toBe(412);
      expect((await service.ask({ url: `${url}/guarded` })).body.data.record.name).toBe('Second');
      expect((await put('never', fields, { 'if-match': '*' })).status).toBe(412);
      expect((await service.ask({ url: `${url}/never` })).status).toBe(404);
      const weak = { 'if-match': `W/${second.headers.etag}` };
      expect((await put('guarded', { ...fields, name: 'Weak' }, weak)).status).toBe(412);
      const either = { 'if-match': `"other", ${second.headers.etag}` };
      expect((await put('guarded', { ...fields, name: 'Third' }, either)).status).toBe(200);
      expect((await put('guarded', fields, { 'if-match': '*' })).status).toBe(200);
    });

    test('of many guarded changes at once exactly one is made', async () => {
      const { etag } = (await put('contested', fields)).headers as { etag: string };
      const keys = await Promise.all(Array.from({ length: 8 }, () => service.addKey(GUILD_ID)));
      const replies = await Promise.all(
        keys.map(({ value }, index) =>
          service.ask({
            method: 'PUT',
            url: `${url}/contested`,
            key: value,
            headers: { 'if-match': etag },
            payload: { ...fields, name: `Writer ${index}` },
          }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    });

    test('bad bodies are refused, and the guild and the id of a body must be the address’s', async () => {
      expect((await put('bad', { ...fields, name: '' })).body.code).toBe('missing_fields');
      expect((await put('bad', { ...fields, name: 7 })).body.code).toBe('invalid_input');
      expect((await put('bad', { ...fields, date: 'soon' })).body.code).toBe('invalid_input');
      expect((await put('bad', { ...fields, guildId: OTHER_GUILD_ID })).body.code).toBe('invalid_input');
      expect((await put('bad', { ...fields, id: 'worse' })).body.code).toBe('invalid_input');
      expect((await service.ask({ url: `${url}/bad` })).status).toBe(404);
    });

    test('another guild’s records do not exist', async () => {
      await put('ours', fields);
      const ask = (method: 'GET' | 'DELETE') =>
        service.ask({ method, url: `${url}/ours`, key: service.otherKey });
      expect((await ask('GET')).status).toBe(404);
      expect((await ask('DELETE')).status).toBe(404);
      expect((await service.ask({ url, key: service.otherKey })).body.data.records).toEqual([]);
      expect((await service.ask({ url: `${url}/ours` })).status).toBe(200);
    });

    test('a list goes page by page, newest first, by its filters', async () => {
      const dates = ['2020-01-01', '2020-01-02', '2020-01-02', '2020-01-02', '2020-01-05'];
      for (const [index, day] of dates.entries()) {
        await put(`page ${index}`, {
          ...fields,
          date: `${day}T00:00:00.000Z`,
          playerId: index % 2 === 0 ? 'even' : 'odd',
          name: `Pages ${index}`,
        });
      }
      const walk = async (filters: string) => {
        const ids: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const { body } = await service.ask({ url: `${url}?limit=2&${filters}${at}` });
          ids.push(...body.data.records.map(({ id }: { id: string }) => id));
          cursor = body.data.nextCursor;
        }
        return ids;
      };
      expect(await walk('search=PAGES')).toEqual(['page 4', 'page 3', 'page 2', 'page 1', 'page 0']);
      expect(await walk('playerId=even')).toEqual(['page 4', 'page 2', 'page 0']);
      expect(await walk('playerId=even&search=pages%204')).toEqual(['page 4']);
      expect(await walk('since=2020-01-02&until=2020-01-05T00:00:00Z')).toEqual([
        'page 3',
        'page 2',
        'page 1',
      ]);
      const { body } = await service.ask({ url: `${url}?limit=1&search=pages` });
      const moved = await service.ask({ url: `${url}?limit=1&search=other&cursor=${body.data.nextCursor}` });
      expect(moved.body.code).toBe('cursor_mismatch');
      for (const bad of [
        'cursor=zzz',
        'limit=0',
        'limit=101',
        'since=soon',
        'since=2021-01-01&until=2020-01-01',
      ]) {
        expect((await service.ask({ url: `${url}?${bad}` })).body.code).toBe('invalid_input');
      }
    });

    test('changes are in the audit log under the key', async () => {
      const { keyId, value } = await service.addKey(GUILD_ID, ['records:write']);
      await service.ask({ method: 'PUT', url: `${url}/logged`, key: value, payload: fields });
      const guild = await service.guilds.find(GUILD_ID);
      const [entry] = await service.store.audit.list(guild, { limit: 1 });
      expect(entry).toMatchObject({
        actor: { kind: 'key', id: keyId },
        action: 'create',
        subjectId: 'logged',
      });
    });
  });

  test('discharges are filtered by kind, and transfers have none', async () => {
    const typed = { ...DISCHARGE_FIELDS, type: 'by kind' };
    await service.ask({ method: 'PUT', url: '/guild/records/discharges/typed', payload: typed });
    const found = await service.ask({ url: '/guild/records/discharges?type=by%20kind' });
    expect(found.body.data.records.map(({ id }: { id: string }) => id)).toEqual(['typed']);
    const refused = await service.ask({ url: '/guild/records/transfers?type=by%20kind' });
    expect(refused.text).toBe(
      '{"success":false,"message":"Bad request - type is a filter of discharges only","code":"invalid_input"}',
    );
    const body = await service.ask({
      method: 'PUT',
      url: '/guild/records/transfers/typed',
      payload: { ...TRANSFER_FIELDS, type: 'by kind' },
    });
    expect(body.status).toBe(400);
    expect((await service.ask({ url: '/guild/records/verifications' })).status).toBe(404);
  });
}
