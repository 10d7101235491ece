import { checkMakers as firstMakers } from 'virtual:reply-checks/first';
import { checkMakers as otherMakers } from 'virtual:reply-checks/others';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadReader, type Reply, UnexpectedReply } from '../src/api/replies.ts';
import { ApiError, isUndecided, isWorthRetrying, request } from '../src/api/request.ts';

const player: Reply<'PlayerReply'> = {
  success: true,
  data: {
    playerId: '640478151',
    username: null,
    balance: '-12.5',
    transactions: 2,
    chatId: null,
    firstAt: '2026-11-14T10:00:00.000Z',
    lastAt: '2026-11-15T10:00:00.000Z',
    floor: null,
    sources: ['shop'],
  },
};

const { balance: _balance, ...withoutBalance } = player.data;
const route = 'GET /dashboard/api/guilds/1/players/640478151';
const read = await loadReader('PlayerReply');
const readPlayer = (data: unknown) => read({ success: true, data }, route);

describe('an answer', () => {
  test('that is as the wire schema says is passed on untouched', () => {
    expect(read(player, route)).toBe(player);
  });

  test('may have fields that these pages do not know yet', () => {
    expect(readPlayer({ ...player.data, nickname: 'Osric' }).data.balance).toBe('-12.5');
  });

  test.each([
    ['a renamed field', { ...withoutBalance, total: '-12.5' }],
    ['a missing field', withoutBalance],
    ['a number in place of a text', { ...player.data, balance: -12.5 }],
    ['a text that is no sum', { ...player.data, balance: '' }],
    ['a text in place of a count', { ...player.data, transactions: '2' }],
    ['null where there is always a value', { ...player.data, sources: null }],
    ['a fault within a list', { ...player.data, sources: ['shop', 5] }],
    ['no data', undefined],
  ])('with %s is refused, and its route named', (_fault, data) => {
    expect(() => readPlayer(data)).toThrow(UnexpectedReply);
    expect(() => readPlayer(data)).toThrow(route);
  });

  test.each([undefined, null, [], 'text', { success: false, message: 'No' }])(
    'that is %j is refused',
    (answer) => {
      expect(() => read(answer, route)).toThrow(UnexpectedReply);
    },
  );

  test.each(Object.entries({ ...firstMakers, ...otherMakers }))(
    '%s is refused when it is empty',
    (_name, makeCheck) => {
      expect(makeCheck()({})).toBe(false);
    },
  );

  test('has its check in one script: those of the first pages, or the other one', async () => {
    const inFirst = Object.keys(firstMakers);
    expect(inFirst).toContain('GuildsReply');
    expect(Object.keys(otherMakers)).not.toHaveLength(0);
    expect(Object.keys(otherMakers).filter((name) => inFirst.includes(name))).toEqual([]);
    const readBalance = await loadReader('BalanceReply');
    expect(() => readBalance({ success: true }, route)).toThrow(UnexpectedReply);
  });

  test('about the own account needs the verification', async () => {
    const account = {
      playerId: '7',
      username: 'rowan',
      chatId: '9',
      balance: '0',
      transactions: 0,
      firstAt: null,
      lastAt: null,
      floor: null,
      sources: [],
      pastUsers: [{ playerId: '6', username: 'wren' }],
    };
    const readAccount = await loadReader('OwnAccountReply');
    const readData = (data: object) => readAccount({ success: true, data }, 'GET /me');
    expect(readData(account).data.username).toBe('rowan');
    expect(() => readData({ ...account, username: null })).toThrow(UnexpectedReply);
    expect(() => readData({ ...account, pastUsers: undefined })).toThrow(UnexpectedReply);
  });

  test('with a word outside of a closed list is refused', async () => {
    const rights = { standing: 'owner', role: 'manager', hasOwnAccount: false, may: ['keys.read'] };
    const display = { currencyName: null, currencySymbol: null, decimalsShown: null };
    const settings = {
      overdraftAllowed: true,
      sealPublic: false,
      ownAccounts: true,
      timeZone: 'UTC',
      language: 'en',
      display,
    };
    const guild = {
      guildId: '1',
      name: 'A',
      icon: null,
      ...rights,
      plan: null,
      planUntil: null,
      ...settings,
    };
    const readGuilds = await loadReader('GuildsReply');
    const readState = (state: string) =>
      readGuilds({ success: true, data: [{ ...guild, state }] }, 'GET /guilds');
    expect(readState('ready').data).toHaveLength(1);
    expect(() => readState('paused')).toThrow(UnexpectedReply);
  });
});

describe('a request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const answerWith = (response: Response) => vi.stubGlobal('fetch', async () => response);
  const failureOf = (path: string) => request('PlayerReply', path).catch((error: Error) => error);

  test('gives the answer with its type', async () => {
    answerWith(Response.json(player));
    expect(await request('PlayerReply', '/guilds/1/players/640478151')).toEqual(player);
  });

  test('that is answered in an unexpected way names the route without its query, and is not repeated', async () => {
    answerWith(Response.json({ success: true, data: withoutBalance }));
    const error = await failureOf('/guilds/1/players/640478151?limit=8');
    expect(error).toBeInstanceOf(UnexpectedReply);
    expect(error).toHaveProperty('message', expect.stringContaining(`${route}.`));
    expect(isWorthRetrying(error)).toBe(false);
  });

  test('that is answered with no JSON is one answered in an unexpected way', async () => {
    answerWith(new Response('<html>'));
    expect(await failureOf('/guilds/1/players/1')).toBeInstanceOf(UnexpectedReply);
  });

  test('that is refused fails with the words of the service', async () => {
    answerWith(Response.json({ success: false, message: 'No such guild' }, { status: 404 }));
    expect(await failureOf('/guilds/1/players/1')).toEqual(new ApiError(404, 'No such guild'));
  });

  test.each([
    [new UnexpectedReply(route), true],
    [new ApiError(0, 'The service does not answer.'), true],
    [new ApiError(409, 'Taken'), false],
  ])('that failed with %s may have changed something: %s', (error, expected) => {
    expect(isUndecided(error)).toBe(expected);
  });
});
