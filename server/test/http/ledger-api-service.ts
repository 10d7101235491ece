import { beforeAll, expect } from 'vitest';
import { type Ask, OTHER_GUILD_ID, type StartService, shareService } from './filled-service.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

/** One service for the tests of the ledger's routes, and short functions to send it requests. */
export type LedgerApi = ReturnType<typeof shareLedgerApi>;

export function shareLedgerApi(start: StartService) {
  const shared = shareService(start);
  let players = 0;
  beforeAll(async () => {
    await shared.service.addGuild(OTHER_GUILD_ID, { overdraftAllowed: false });
  });

  /** A player that no other test knows of. */
  const aPlayer = () => `player ${++players}`;
  const get = (url: string, options: Partial<Ask> = {}) => shared.service.ask({ url, ...options });
  const send = (url: string, payload: unknown, options: Partial<Ask> = {}) =>
    shared.service.ask({ method: 'POST', url, payload: payload as object, ...options });
  const item = (changes: object = {}) => ({
    playerId: 'p',
    name: 'Iron',
    quantity: 1,
    amount: 5,
    source: 'shop',
    ...changes,
  });
  /** In the guild that forbids overdraft. */
  const strict = () => ({ key: shared.service.otherKey });

  async function postOne(changes: object = {}, options: Partial<Ask> = {}): Promise<string> {
    const reply = await send('/guild/transactions', { transactions: [item(changes)] }, options);
    expect(reply.status).toBe(200);
    return reply.body.data.results[0].transactionId;
  }
  const balanceOf = async (playerId: string, options: Partial<Ask> = {}) =>
    (await get(`/guild/accounts/${encodeURIComponent(playerId)}`, options)).body.data.balance;

  /** A key of a guild that no other test knows of. */
  async function keyOfNewGuild(): Promise<string> {
    const { guildId } = await shared.service.addGuild(`g${++players}`);
    return (await shared.service.addKey(guildId)).value;
  }

  return {
    get service() {
      return shared.service;
    },
    aPlayer,
    keyOfNewGuild,
    get,
    send,
    item,
    strict,
    postOne,
    balanceOf,
  };
}
