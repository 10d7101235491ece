import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDischarge, aTransaction, aTransfer, aVerification, CHANGE } from '../contract/specimens.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const PERSON = aVerification({
  chatId: '9001',
  playerId: 'now',
  username: 'Rowan_Vale',
  pastUsers: [{ playerId: 'then', username: 'rowan77' }],
});

let service: DashboardService;
let olga: SignedInBrowser;
let transactionId: string;

beforeAll(async () => {
  service = await startDashboardService({}, { GUILD_EDITS_VERIFICATIONS: 'true' });
  olga = await service.signIn('olga');
  const { store } = service;
  await store.verifications.put(
    [PERSON, aVerification({ chatId: '42', playerId: 'far', username: 'Far' })],
    CHANGE,
  );
  const post = async (guildId: string, body: Record<string, unknown>) => {
    const { value: key } = await service.addKey(guildId);
    return service.send({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody(body) });
  };
  const posted = await post(GUILD, { playerId: 'now', amount: -2.5, quantity: 2 });
  transactionId = String(posted.headers['transaction-id']);
  await post(GUILD, { playerId: 'then', amount: 10, quantity: 1 });
  await post(OTHER_GUILD, { playerId: 'far', amount: 1, quantity: 1 });
  const planless = await service.guilds.find(PLANLESS_GUILD);
  await store.ledger.append(aTransaction(planless, { playerId: 'now' }));
  const guild = await service.guilds.find(GUILD);
  await store.discharges.put(
    guild,
    [aDischarge(guild, { id: 'D-7', playerId: 'then', name: 'Wren' })],
    CHANGE,
  );
  await store.transfers.put(
    guild,
    [aTransfer(guild, { id: 'T-7', playerId: 'moved', name: 'Alder' })],
    CHANGE,
  );
});
afterAll(() => service.stop());

const go = (path: string, { guildId = GUILD, browser = olga } = {}) =>
  browser.go(`/dashboard/api/guilds/${guildId}/${path}`);
const search = async (query: string, options = {}) =>
  (await go(`search?query=${encodeURIComponent(query)}`, options)).body.data;

describe('the people of a guild', () => {
  test('are listed with balance, records, verification and former accounts, page by page', async () => {
    const first = await go('people?limit=2');
    expect(first.status).toBe(200);
    const counts = { discharges: 0, transfers: 0 };
    expect(first.body.data.members).toEqual([
      {
        playerId: 'then',
        name: 'Wren',
        chatId: null,
        username: null,
        pastUsers: [],
        formerOf: { chatId: '9001', playerId: 'now', username: 'Rowan_Vale' },
        balance: '10',
        transactions: 1,
        ...counts,
        discharges: 1,
      },
      {
        ...PERSON,
        name: 'Rowan_Vale',
        formerOf: null,
        balance: '-5',
        transactions: 1,
        ...counts,
      },
    ]);
    const { nextCursor } = first.body.data;
    const second = await go(`people?limit=2&cursor=${nextCursor}`);
    expect(second.body.data.members).toMatchObject([{ playerId: 'moved', name: 'Alder', transfers: 1 }]);
    expect(second.body.data.nextCursor).toBeNull();
    expect((await go(`people?query=x&cursor=${nextCursor}`)).status).toBe(400);
    expect((await go('people?cursor=nonsense')).status).toBe(400);
  });

  test('are sorted, filtered, counted, and exported as they are listed', async () => {
    const ids = async (query: string) =>
      (await go(`people?${query}`)).body.data.members.map(({ playerId }: { playerId: string }) => playerId);
    expect(await ids('sortOrder=asc')).toEqual(['now', 'then', 'moved']);
    expect(await ids('sortBy=name&sortOrder=asc')).toEqual(['moved', 'now', 'then']);
    expect(await ids('state=overdrawn')).toEqual(['now']);
    expect(await ids('state=unverified&sortBy=name&limit=1')).toEqual(['then']);
    expect((await go('people')).body.data.total).toBe(3);
    expect((await go('people?state=verified&query=rowan')).body.data.total).toBe(1);
    expect((await go('people?sortBy=colour')).status).toBe(400);
    expect((await go('people?state=former')).status).toBe(400);
    const { nextCursor } = (await go('people?sortBy=name&limit=1')).body.data;
    expect((await go(`people?sortBy=name&limit=1&cursor=${nextCursor}`)).status).toBe(200);
    expect((await go(`people?limit=1&cursor=${nextCursor}`)).status).toBe(400);
    const file = await go('people.csv?sortBy=name&sortOrder=asc&exact=true');
    expect(file.text.split('\r\n')).toEqual([
      'playerId,name,chatId,formerNames,balance,transactions,discharges,transfers',
      'moved,Alder,,,0,0,0,1',
      'now,Rowan_Vale,9001,rowan77,-5,1,0,0',
      'then,Wren,,,10,1,1,0',
      '',
    ]);
  });

  test('have a history of what belongs to them, in one answer', async () => {
    const { body } = await go('people/then/history');
    expect(body.data.entries).toMatchObject([
      { action: 'create', subject: { kind: 'discharge', id: 'D-7' } },
    ]);
    expect((await go('people/nobody/history')).status).toBe(404);
    expect((await go('people/then/history', { guildId: OTHER_GUILD })).status).toBe(404);
  });

  test('have names under both of their ids; without a plan only people of the guild do', async () => {
    const rowan = { chatId: '9001', playerId: 'now', username: 'Rowan_Vale' };
    const far = { chatId: '42', playerId: 'far', username: 'Far' };
    expect((await go('names?playerIds=now,nobody,then&chatIds=42')).body.data).toEqual([rowan, far]);
    expect((await go('names?chatIds=9001')).body.data).toEqual([rowan]);
    expect((await go('names')).body.data).toEqual([]);
    const pia = await service.signIn('pia');
    const planless = await go('names?playerIds=now,far', { guildId: PLANLESS_GUILD, browser: pia });
    expect(planless.body.data).toEqual([rowan]);
    expect((await go(`names?playerIds=${Array(101).fill('x').join()}`)).status).toBe(400);
  });

  test('have a profile with money, records and accounts; strangers have none', async () => {
    const { body } = await go('people/now');
    expect(body.data.member).toMatchObject({ playerId: 'now', chatId: '9001' });
    expect(body.data.accounts).toMatchObject([
      { playerId: 'now', balance: '-5', isCurrent: true },
      { playerId: 'then', balance: '10', isCurrent: false, discharges: 1 },
    ]);
    expect(body.data.discharges).toMatchObject([{ id: 'D-7' }]);
    for (const playerId of ['far', 'nobody']) {
      expect((await go(`people/${playerId}`)).body).toEqual({ success: true, data: null });
    }
    expect((await go('people/now', { guildId: OTHER_GUILD })).body.code).toBe('guild_not_found');
  });

  test('of a guild without a plan show no former accounts', async () => {
    const pia = await service.signIn('pia');
    const { body } = await go('people', { guildId: PLANLESS_GUILD, browser: pia });
    expect(body.data.members).toMatchObject([{ playerId: 'now', username: 'Rowan_Vale', pastUsers: [] }]);
    expect(await search('42', { guildId: PLANLESS_GUILD, browser: pia })).toMatchObject({ stranger: null });
  });
});

describe('the search', () => {
  test('finds people by any part of a name or an id, and whoever is verified by all of it', async () => {
    expect((await search('WAN_v')).members).toMatchObject([{ playerId: 'then' }, { playerId: 'now' }]);
    expect((await search('wan7')).members).toMatchObject([{ playerId: 'then' }, { playerId: 'now' }]);
    expect((await search('9001')).members).toMatchObject([{ playerId: 'now' }]);
    expect(await search('42')).toMatchObject({ members: [], stranger: { playerId: 'far', username: 'Far' } });
    expect((await search('4')).stranger).toBeNull();
    expect((await search('')).members).toHaveLength(3);
  });

  test('finds records by a part of their ids and names, transactions by the beginning of theirs', async () => {
    expect(await search('-7')).toMatchObject({ discharges: [{ id: 'D-7' }], transfers: [{ id: 'T-7' }] });
    expect((await search('alde')).transfers).toMatchObject([{ id: 'T-7' }]);
    for (const part of [transactionId, transactionId.slice(0, 23).toUpperCase()]) {
      expect((await search(part)).transactions).toMatchObject([
        { transactionId, playerId: 'now', total: '-5' },
      ]);
    }
    expect((await search(transactionId, { guildId: GUILD })).transactions).toHaveLength(1);
    expect((await search(transactionId.slice(0, 7))).transactions).toEqual([]);
  });

  test('finds keys by a part of their names, for those who may see keys', async () => {
    await olga.change('POST', keysPath(GUILD), keyOrder(service, { name: 'Payout bot' }));
    expect((await search('yout')).keys).toMatchObject([{ name: 'Payout bot' }]);
    await olga.change('PUT', `/dashboard/api/guilds/${GUILD}/roles/people/104`, { role: 'viewer' });
    const memo = await service.signIn('memo');
    expect((await search('yout', { browser: memo })).keys).toEqual([]);
  });
});

describe('a verification', () => {
  const path = (playerId: string) => `/dashboard/api/guilds/${GUILD}/people/${playerId}/verification`;

  test('is made, changed and removed where the operator allows it, and the guild’s log says by whom', async () => {
    service.clock.advance(1_000);
    const made = await olga.change('PUT', path('moved'), { chatId: '77', username: 'Alder_Q' });
    expect(made.body.data).toMatchObject({ chatId: '77', playerId: 'moved', username: 'Alder_Q' });
    expect((await go('people/moved')).body.data.member).toMatchObject({ name: 'Alder_Q', chatId: '77' });
    const removed = await olga.change('DELETE', path('moved'));
    expect(removed.status).toBe(200);
    expect((await go('people/moved')).body.data.member).toMatchObject({ name: 'Alder', chatId: null });
    expect((await olga.change('DELETE', path('moved'))).status).toBe(404);
    const log = await go('audit?kind=verification&subject=77');
    expect(log.body.data.entries).toMatchObject([
      { action: 'delete', actor: { kind: 'user', id: '101' } },
      { action: 'create', detail: { after: { playerId: 'moved' } } },
    ]);
    expect((await go('audit?subject=77')).status).toBe(400);
  });

  test('of somebody whom the guild does not know is left alone', async () => {
    expect((await olga.change('PUT', path('far'), { chatId: '78', username: 'x' })).status).toBe(404);
    expect((await olga.change('PUT', path('now'), { chatId: '', username: 'x' })).status).toBe(400);
    expect(await service.store.verifications.find(['player'], 'far')).toMatchObject({ chatId: '42' });
  });
});

describe('the settings of a guild', () => {
  const path = `/dashboard/api/guilds/${GUILD}/settings`;

  test('say how amounts are shown; the guilds’ list has them, and the log who changed them', async () => {
    service.clock.advance(1_000);
    const display = { currencyName: 'Gold', currencySymbol: '⛁', decimalsShown: 0 };
    const rules = {
      overdraftAllowed: false,
      sealPublic: true,
      ownAccounts: false,
      timeZone: 'America/New_York',
      language: 'pt-BR',
    };
    const reply = await olga.change('PUT', path, { ...display, ...rules });
    expect(reply.body.data).toEqual({ ...rules, display });
    const guilds = (await olga.go('/dashboard/api/guilds')).body.data;
    expect(guilds.find((guild: { guildId: string }) => guild.guildId === GUILD)).toMatchObject({
      ...rules,
      display,
    });
    const wanted = { currencyName: null, overdraftAllowed: true, timeZone: null, language: null };
    const cleared = await olga.change('PUT', path, wanted);
    expect(cleared.body.data).toEqual({
      overdraftAllowed: true,
      sealPublic: true,
      ownAccounts: false,
      timeZone: 'UTC',
      language: 'en',
      display: { ...display, currencyName: null },
    });
    const { entries } = (await go('audit?kind=guild&limit=1')).body.data;
    expect(entries).toMatchObject([
      { actor: { id: '101' }, detail: { before: { currencyName: 'Gold', overdraftAllowed: false } } },
    ]);
  });

  test.each([
    { currencySymbol: 'too long a symbol' },
    { currencyName: '' },
    { decimalsShown: 5 },
    { decimalsShown: 1.5 },
    { overdraftAllowed: 'yes' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '' },
    { language: 'pt' },
    { language: '' },
  ])('are not changed to %j', async (body) => {
    const before = await service.store.guilds.find(GUILD);
    expect((await olga.change('PUT', path, body)).status).toBe(400);
    expect(await service.store.guilds.find(GUILD)).toEqual(before);
  });
});

test('the audit log is exported with its filters, for spreadsheets too', async () => {
  const { status, text, headers } = await go('audit.csv?kind=discharge&exact=true');
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain('audit-log-');
  const [head, row, ...more] = text.trim().split('\r\n');
  expect(head).toBe('entryNo,createdAt,who,whoId,action,kind,subject,before,after');
  expect(row).toMatch(/^\d+,2\d{3}-.*,create,discharge,D-7,,"\{""id"":""D-7"".*\}"$/);
  expect(more).toEqual([]);
});
