import { EXAMPLE_DISCHARGE } from './examples.ts';
import { choice, idText } from './text.ts';
import { Type } from './type.ts';

export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The tag the catalogue must still have.', maxLength: 255 }),
  ),
});

export const ImportParams = Type.Object({
  kind: choice(['discharges', 'transfers', 'verifications', 'commands', 'transactions'], {
    description: 'Kind of the records.',
    examples: ['transactions'],
  }),
});

export const ImportQuery = Type.Object({
  guild: Type.Optional(
    idText('The guild of all records that do not name theirs.', EXAMPLE_DISCHARGE.guildId),
  ),
});

/** One line of an import's answer. */
export const ImportLine = Type.Object({
  line: Type.Integer({ description: 'Number of the line, counted from 1.', examples: [1] }),
  outcome: choice(['created', 'updated', 'unchanged', 'rejected'], { description: 'Outcome of the record.' }),
  reason: Type.Optional(Type.String({ description: 'Why it was rejected.' })),
});
