/** Records that check:interface writes. */

export const DISCHARGE = {
  chatId: '302817465920118784',
  playerId: '48213977',
  name: 'Rowan_Ashford',
  reason: 'Moved away,\nwith thanks',
  date: '2026-03-14',
  type: 'honourable',
  from: '2nd Company',
  signed: 'KestrelVane',
};
export const TRANSFER = {
  playerId: '48213977',
  name: 'Rowan_Ashford',
  date: '2026-05-02T18:22:05Z',
  from: '2nd Company',
  to: 'Harbour Watch',
  signed: 'KestrelVane',
};
export const COMMAND = {
  category: 'Economy',
  name: 'balance',
  description: 'Shows how much you have.',
  extendedHelp: 'Usage: /balance',
  preconditions: ['Verified members only'],
};
