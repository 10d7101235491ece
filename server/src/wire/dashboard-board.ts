import { enveloped } from './envelope.ts';
import { choice } from './text.ts';
import { nullable, Type } from './type.ts';

// The public page of a guild, as its settings show it.

/** The largest amount of the ledger. */
const AMOUNT_MAX = 900_719_925_474;
const NAME_LENGTH_MAX = 64;

const flags = {
  names: Type.Boolean({
    description: 'Whether names of players and texts of transactions are shown. Otherwise places only.',
  }),
  leaderboard: Type.Boolean({ description: 'Whether the largest balances are shown.' }),
  totals: Type.Boolean({ description: 'Whether the sums of the guild are shown.' }),
  chart: Type.Boolean({ description: 'Whether the chart of the last 90 days is shown.' }),
  commands: Type.Boolean({ description: 'Whether the commands of the bot are listed.' }),
};
const isPublished = Type.Boolean({ description: 'Whether everybody can open the page.' });

/** All fields are replaced. The name is chosen once. */
export const BoardBody = Type.Object({
  name: Type.String({
    maxLength: NAME_LENGTH_MAX,
    description:
      'The address of the page: 3 to 32 lower-case letters, digits and hyphens. It cannot be changed later.',
  }),
  isPublished,
  ...flags,
  movesMin: nullable<number>({
    type: 'number',
    minimum: 0,
    maximum: AMOUNT_MAX,
    description: 'The smallest amount of the moves that are shown; null shows none.',
  }),
});

export const BoardReply = enveloped(
  Type.Object({
    name: nullable<string>({ type: 'string', description: 'Null until a name has been chosen.' }),
    isPublished,
    ...flags,
    movesMin: nullable<string>({
      type: 'string',
      description: 'The smallest amount of the moves that are shown; null shows none.',
    }),
  }),
);

/** A board that is not stored: what its page would show now. */
export const BoardPreviewQuery = Type.Object({
  parts: Type.Optional(
    Type.Array(choice(['names', 'leaderboard', 'totals', 'chart', 'commands']), {
      maxItems: 5,
      description: 'The parts that are on.',
    }),
  ),
  movesMin: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description: 'The smallest amount of the moves that are shown.',
    }),
  ),
});

export const BoardPreviewReply = enveloped(
  Type.Object({
    html: Type.String({ description: 'The page.' }),
    picture: Type.String({ description: 'The picture for links in chats, as a data address.' }),
  }),
);
