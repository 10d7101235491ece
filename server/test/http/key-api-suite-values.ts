import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { TESTER } from '../support/change.ts';
import { depth } from '../support/depth.ts';
import { GUILD_ID, type SharedService } from './filled-service.ts';

const HOUR_MS = 3_600_000;

/** The value of a key: how it is described, deleted and replaced. */
export function describeKeyValues(shared: SharedService): void {
  test('a key of any scope learns what it is, and nothing of its value', async () => {
    const { keyId, value } = await shared.service.addKey(GUILD_ID, []);
    const { status, text, body } = await shared.service.ask({ url: '/guild/key', key: value });
    const { prefix, createdAt, expiresAt } = body.data.key;
    expect({ status, text }).toEqual({
      status: 200,
      text:
        `{"success":true,"data":{"key":{"id":"${keyId}","name":"test","prefix":"${prefix}","guildId":"${GUILD_ID}",` +
        `"scopes":[],"createdAt":"${createdAt}","expiresAt":"${expiresAt}","lastUsedAt":null,` +
        '"limits":{"amountMax":null,"withdrawnPerDayMax":null},"routeLimits":[]}}}',
    });
    expect(value.startsWith(prefix)).toBe(true);
    expect(text).not.toContain(value);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
  });

  test('a key deletes itself, once and for good', async () => {
    const { keyId, value } = await shared.service.addKey(GUILD_ID, []);
    const ask = (method: 'GET' | 'DELETE') => shared.service.ask({ method, url: '/guild/key', key: value });
    expect((await ask('DELETE')).text).toBe('{"success":true,"data":{}}');
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await ask(method)).text).toBe(
        '{"success":false,"message":"Unauthorized - invalid API key","code":"unauthorized"}',
      );
    }
    const guild = await shared.service.guilds.find(GUILD_ID);
    const [entry] = await shared.service.store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({
      actor: { kind: 'key', id: keyId },
      action: 'delete',
      subjectKind: 'key',
      subjectId: keyId,
    });
  });

  describe('rotation', () => {
    const identify = (key: string) => shared.service.send({ url: '/guild/key', key });

    test('both values work until the old one’s time, and from then on only the new one', async () => {
      const { keyId, value: old } = await shared.service.addKey(GUILD_ID);
      await identify(old);
      const endsAtMs = shared.service.clock.nowMs() + DAY_MS;
      const { value } = await shared.service.keys.rotate({ keyId }, DAY_MS, TESTER);
      const both = await Promise.all([identify(old), identify(value)]);
      expect(both.map(({ body }) => [body.data.key.id, body.data.key.prefix])).toEqual(
        Array(2).fill([keyId, value.slice(0, 12)]),
      );
      shared.service.clock.advance(endsAtMs - 1 - shared.service.clock.nowMs());
      expect((await identify(old)).status).toBe(200);
      shared.service.clock.advance(1);
      expect((await identify(old)).status).toBe(401);
      expect((await identify(value)).status).toBe(200);
    });

    test('without overlap the old value ends at once, and the rate limit is the key’s, whatever its value', async () => {
      const { keyId, value: old } = await shared.service.addKey(GUILD_ID);
      const { value: between } = await shared.service.keys.rotate({ keyId }, DAY_MS, TESTER);
      const replies = [];
      for (let count = 0; count < 12; count += 1) {
        replies.push((await identify(count % 2 === 0 ? old : between)).status);
      }
      expect(replies).toEqual([...Array(10).fill(200), 429, 429]);
      shared.service.clock.advance(1_001);
      const { value } = await shared.service.keys.rotate({ keyId }, 0, TESTER);
      expect((await identify(old)).status).toBe(401);
      expect((await identify(between)).status).toBe(401);
      expect((await identify(value)).status).toBe(200);
    });

    test('under load neither value is refused before its time or accepted after it', async () => {
      const { keyId, value: old } = await shared.service.addKey(GUILD_ID);
      let present = old;
      for (let turn = 0; turn < depth({ normal: 8, deep: 200 }); turn += 1) {
        shared.service.clock.advance(1_001);
        const former = present;
        const asked = Array.from({ length: 4 }, () => identify(former));
        const rotating = shared.service.keys.rotate({ keyId }, HOUR_MS, TESTER);
        present = (await rotating).value;
        const after = await Promise.all([identify(former), identify(present)]);
        const statuses = [...(await Promise.all(asked)), ...after].map(({ status }) => status);
        expect(statuses).toEqual(Array(6).fill(200));
        shared.service.clock.advance(HOUR_MS);
        expect((await identify(former)).status).toBe(401);
        expect((await identify(present)).status).toBe(200);
      }
    });

    test('an overlap of more than 7 days is refused, and a key that is not there has none', async () => {
      const { keyId } = await shared.service.addKey(GUILD_ID);
      const tooLong = shared.service.keys.rotate({ keyId }, 7 * DAY_MS + 1, TESTER);
      await expect(tooLong).rejects.toMatchObject({ code: 'invalid_input' });
      await shared.service.keys.rotate({ keyId }, 7 * DAY_MS, TESTER);
      const absent = shared.service.keys.rotate({ keyId: 'nothing' }, 0, TESTER);
      await expect(absent).rejects.toMatchObject({ code: 'key_not_found' });
    });
  });
}
