import type { BotCommand, Discharge, NewTransaction, Transfer, Verification } from '@guildbook/client';

export const GUILD_ID = '814203957731622912';
export const OTHER_GUILD_ID = '925514068842733023';
/** A guild that forbids overdrafts. */
export const STRICT_GUILD_ID = '736602157731622001';

export const DISCHARGE = {
  id: 'dis_1',
  guildId: GUILD_ID,
  chatId: '302817465920118784',
  playerId: '48213977',
  name: 'Rowan_Ashford',
  reason: 'Completed a full term of service.\nWith honours.',
  date: '2026-03-14',
  type: 'honourable',
  from: '2nd Company',
  signed: 'KestrelVane',
} satisfies Discharge;

/** An id with everything that means something in an address. */
export const ODD_DISCHARGE = { ...DISCHARGE, id: 'a/b?c=d&e#f%20+ü 🗡..' } satisfies Discharge;

export const TRANSFER = {
  id: 'trf_1',
  guildId: GUILD_ID,
  playerId: '48213977',
  name: 'Rowan_Ashford',
  date: '2026-05-02T18:22:05.000Z',
  from: '2nd Company',
  to: 'Harbour Watch',
  signed: 'KestrelVane',
} satisfies Transfer;

export const VERIFICATIONS: Verification[] = [
  {
    chatId: '302817465920118784',
    playerId: '48213977',
    username: 'Rowan_Ashford',
    pastUsers: [{ playerId: '31177205', username: 'rowan77' }],
  },
  { chatId: '302817465920118999', playerId: '55500011', username: 'KestrelVane', pastUsers: [] },
];

export const COMMANDS: BotCommand[] = [
  {
    category: 'Economy',
    name: 'balance',
    description: 'Shows how much you have.',
    extendedHelp: 'Usage: /balance [member]\nWithout a member it shows your own.',
    preconditions: ['Verified members only', 'Guild only'],
  },
  { category: 'Records', name: 'discharge', description: 'Writes one.', extendedHelp: '', preconditions: [] },
];

/** A transaction that is right in every way, to be changed by a test. */
export function transaction(changes: Partial<NewTransaction> = {}): NewTransaction {
  return { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop', ...changes };
}
