import { describe, expect, test } from 'vitest';
import { DISCHARGE, GUILD_ID, OTHER_GUILD_ID, type SharedService, TRANSFER } from './filled-service.ts';

const { id: _discharge, guildId: _guild, ...DISCHARGE_FIELDS } = DISCHARGE;
const { id: _transfer, guildId: _transferGuild, ...TRANSFER_FIELDS } = TRANSFER;
const KINDS = [
  { kind: 'discharges', fields: DISCHARGE_FIELDS, absent: 'Discharge not found' },
  { kind: 'transfers', fields: TRANSFER_FIELDS, absent: 'Transfer not found' },
] as const;

/** Discharges and transfers, read and changed with a key. */
export function describeRecordsByKey(shared: SharedService): void {
  describe.each(KINDS)('records by key: $kind', ({ kind, fields, absent }) => {
    const url = `/guild/records/${kind}`;
    const put = (id: string, payload: object, headers: Record<string, string> = {}) =>
      shared.service.ask({ method: 'PUT', url: `${url}/${id}`, payload, headers });

    test('what is put is read, listed and deleted', async () => {
      const record = { id: 'new', guildId: GUILD_ID, ...fields };
      const made = await put('new', fields);
      expect({ status: made.status, body: made.body }).toEqual({
        status: 200,
        body: { success: true, data: { record } },
      });
      const read = await shared.service.ask({ url: `${url}/new` });
      expect(read.text).toBe(made.text);
      expect(read.headers.etag).toBe(made.headers.etag);
      const listed = await shared.service.ask({ url });
      expect(listed.body.data.records).toContainEqual(record);
      const gone = await shared.service.ask({ method: 'DELETE', url: `${url}/new` });
      expect(gone.text).toBe('{"success":true,"data":{}}');
      for (const method of ['GET', 'DELETE'] as const) {
        const again = await shared.service.ask({ method, url: `${url}/new` });
        expect(again.status).toBe(404);
        expect(again.body.message).toBe(absent);
      }
    });

    test('a record without an id gets one, and may not bring its own', async () => {
      const made = await shared.service.ask({ method: 'POST', url, payload: fields });
      expect(made.body.data.record).toEqual({ ...fields, id: made.body.data.record.id, guildId: GUILD_ID });
      expect(made.body.data.record.id).toMatch(/^[0-9a-f-]{36}$/);
      const refused = await shared.service.ask({ method: 'POST', url, payload: { ...fields, id: 'mine' } });
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
      const lateDelete = await shared.service.ask({
        method: 'DELETE',
        url: `${url}/guarded`,
        headers: { 'if-match': first },
      });
      expect(lateDelete.status).toBe(412);
      expect((await shared.service.ask({ url: `${url}/guarded` })).body.data.record.name).toBe('Second');
      expect((await put('never', fields, { 'if-match': '*' })).status).toBe(412);
      expect((await shared.service.ask({ url: `${url}/never` })).status).toBe(404);
      const weak = { 'if-match': `W/${second.headers.etag}` };
      expect((await put('guarded', { ...fields, name: 'Weak' }, weak)).status).toBe(412);
      const either = { 'if-match': `"other", ${second.headers.etag}` };
      expect((await put('guarded', { ...fields, name: 'Third' }, either)).status).toBe(200);
      expect((await put('guarded', fields, { 'if-match': '*' })).status).toBe(200);
    });

    test('of many guarded changes at once exactly one is made', async () => {
      const { etag } = (await put('contested', fields)).headers as { etag: string };
      const keys = await Promise.all(Array.from({ length: 8 }, () => shared.service.addKey(GUILD_ID)));
      const replies = await Promise.all(
        keys.map(({ value }, index) =>
          shared.service.ask({
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
      expect((await shared.service.ask({ url: `${url}/bad` })).status).toBe(404);
    });

    test('another guild’s records do not exist', async () => {
      await put('ours', fields);
      const ask = (method: 'GET' | 'DELETE') =>
        shared.service.ask({ method, url: `${url}/ours`, key: shared.service.otherKey });
      expect((await ask('GET')).status).toBe(404);
      expect((await ask('DELETE')).status).toBe(404);
      expect((await shared.service.ask({ url, key: shared.service.otherKey })).body.data.records).toEqual([]);
      expect((await shared.service.ask({ url: `${url}/ours` })).status).toBe(200);
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
          const { body } = await shared.service.ask({ url: `${url}?limit=2&${filters}${at}` });
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
      const { body } = await shared.service.ask({ url: `${url}?limit=1&search=pages` });
      const moved = await shared.service.ask({
        url: `${url}?limit=1&search=other&cursor=${body.data.nextCursor}`,
      });
      expect(moved.body.code).toBe('cursor_mismatch');
      for (const bad of [
        'cursor=zzz',
        'limit=0',
        'limit=101',
        'since=soon',
        'since=2021-01-01&until=2020-01-01',
      ]) {
        expect((await shared.service.ask({ url: `${url}?${bad}` })).body.code).toBe('invalid_input');
      }
    });

    test('changes are in the audit log under the key', async () => {
      const { keyId, value } = await shared.service.addKey(GUILD_ID, ['records:write']);
      await shared.service.ask({ method: 'PUT', url: `${url}/logged`, key: value, payload: fields });
      const guild = await shared.service.guilds.find(GUILD_ID);
      const [entry] = await shared.service.store.audit.list(guild, { limit: 1 });
      expect(entry).toMatchObject({
        actor: { kind: 'key', id: keyId },
        action: 'create',
        subjectId: 'logged',
      });
    });
  });

  test('discharges are filtered by kind, and transfers have none', async () => {
    const typed = { ...DISCHARGE_FIELDS, type: 'by kind' };
    await shared.service.ask({ method: 'PUT', url: '/guild/records/discharges/typed', payload: typed });
    const found = await shared.service.ask({ url: '/guild/records/discharges?type=by%20kind' });
    expect(found.body.data.records.map(({ id }: { id: string }) => id)).toEqual(['typed']);
    const refused = await shared.service.ask({ url: '/guild/records/transfers?type=by%20kind' });
    expect(refused.text).toBe(
      '{"success":false,"message":"Bad request - unknown query parameter: type ' +
        '(known: search, playerId, since, until, cursor, limit)","code":"unknown_parameter"}',
    );
    const body = await shared.service.ask({
      method: 'PUT',
      url: '/guild/records/transfers/typed',
      payload: { ...TRANSFER_FIELDS, type: 'by kind' },
    });
    expect(body.status).toBe(400);
    expect((await shared.service.ask({ url: '/guild/records/verifications' })).status).toBe(404);
  });
}
