import { Type } from './type.ts';

// The numbers of a guild's public page, at /board/<name>.json. Parts that the guild does not show are absent.

const amount = (description: string) => Type.String({ description, examples: ['12.5'] });
const time = (description: string) => Type.String({ description, examples: ['2026-11-18T12:00:00.000Z'] });

export const BoardDocument = Type.Object({
  board: Type.String({ description: 'The name of the board.' }),
  guild: Type.String({ description: 'The name of the guild.' }),
  url: Type.String({ description: 'The address of the page.' }),
  madeAt: time('When these numbers were read.'),
  currency: Type.Object({
    name: Type.Optional(Type.String({ description: 'Such as gold.' })),
    symbol: Type.Optional(Type.String({ description: 'Stands before amounts.' })),
  }),
  totals: Type.Optional(
    Type.Object({
      inCirculation: amount('The sum of all balances.'),
      accounts: Type.Integer(),
      transactions: Type.Integer(),
    }),
  ),
  leaderboard: Type.Optional(
    Type.Array(
      Type.Object({
        place: Type.Integer({ description: 'Players with the same balance have the same place.' }),
        player: Type.Optional(Type.String({ description: 'Absent when the guild shows places only.' })),
        balance: amount('The balance.'),
      }),
    ),
  ),
  days: Type.Optional(
    Type.Array(
      Type.Object({
        day: Type.String({ description: 'The day in UTC.', examples: ['2026-11-18'] }),
        deposits: amount('The sum of all deposits of the day.'),
        withdrawals: amount('The sum of all withdrawals of the day, as a positive number.'),
      }),
      { description: 'The last 90 days, today last.' },
    ),
  ),
  moves: Type.Optional(
    Type.Object({
      from: amount('The smallest amount of the moves that are shown.'),
      list: Type.Array(
        Type.Object({
          at: time('When it was posted.'),
          total: amount('Below zero for a withdrawal.'),
          player: Type.Optional(Type.String({ description: 'Absent when the guild shows no names.' })),
          text: Type.Optional(Type.String({ description: 'Absent when the guild shows no names.' })),
        }),
        { description: 'Newest first.' },
      ),
    }),
  ),
  commands: Type.Optional(
    Type.Array(Type.Object({ category: Type.String(), name: Type.String(), description: Type.String() }), {
      description: 'The commands of the bot.',
    }),
  ),
});
