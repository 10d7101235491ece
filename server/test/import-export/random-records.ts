import fc from 'fast-check';
import type {
  BotCommand,
  Discharge,
  PastTransaction,
  Transfer,
  Verification,
} from '../../src/domain/model.ts';
import { NOON_MS } from '../contract/specimens.ts';

/** Records of each kind with everything in them that a format could trip over. */

const WORDS = [
  'a',
  'Z',
  '0',
  '"',
  "'",
  ',',
  ';',
  '\\',
  ' ',
  '  ',
  '=1+1',
  '[',
  '{',
  'é',
  'e\u0301',
  '€',
  '\u05e9\u05dc',
  '\u0645\u0631',
  '🪙',
  '👩‍🚀',
  '#',
  '-',
];
const BREAKS = ['\n', '\r\n', '\r', '\t', '\n\n'];

const note = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(''));
/** Never blank, but blanks may lead and trail. */
const line = fc.tuple(note, fc.constantFrom('x', '🛡', '"', '\u05d0'), note).map((parts) => parts.join(''));
const block = fc
  .array(fc.constantFrom(...WORDS, ...BREAKS), { maxLength: 10 })
  .map((words) => words.join(''));
const time = fc
  .integer({ min: Date.parse('1969-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') })
  .map((ms) => new Date(ms).toISOString());
const date = fc.oneof(
  time,
  time.map((text) => text.slice(0, 10)),
  time.map((text) => text.replace('Z', '+05:30')),
);

export const DISCHARGES = fc.uniqueArray(
  fc.record({
    id: line,
    chatId: line,
    playerId: line,
    name: line,
    reason: block,
    date,
    type: note,
    from: note,
    signed: note,
  }) satisfies fc.Arbitrary<Omit<Discharge, 'guildId'>>,
  { selector: (record) => record.id, maxLength: 8 },
);

export const TRANSFERS = fc.uniqueArray(
  fc.record({
    id: line,
    playerId: line,
    name: line,
    date: time,
    from: note,
    to: note,
    signed: note,
  }) satisfies fc.Arbitrary<Omit<Transfer, 'guildId'>>,
  { selector: (record) => record.id, maxLength: 8 },
);

const pastUser = fc.record({ playerId: line, username: line });

export const VERIFICATIONS: fc.Arbitrary<Verification[]> = fc
  .uniqueArray(
    fc.record({
      chatId: line,
      playerId: line,
      username: line,
      pastUsers: fc.array(pastUser, { maxLength: 3 }),
    }),
    { selector: (person) => person.chatId, maxLength: 8 },
  )
  // A game account has one holder.
  .map((people) => people.map((person, index) => ({ ...person, playerId: `${index}${person.playerId}` })));

export const COMMANDS: fc.Arbitrary<BotCommand[]> = fc.array(
  fc.record({
    category: line,
    name: line,
    description: block,
    extendedHelp: block,
    preconditions: fc.array(note, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);

// Every count of ten-thousandths below this has a double of its own; above it only whole amounts are sure to.
const FINE_UNITS_MAX = 2 ** 39 * 10_000;
const amountUnits = fc
  .oneof(
    fc.integer({ min: 1, max: 99_999 }),
    fc.integer({ min: FINE_UNITS_MAX - 10_000, max: FINE_UNITS_MAX }),
    fc.integer({ min: 1, max: 800_000_000_000 }).map((whole) => whole * 10_000),
  )
  .chain((units) => fc.constantFrom(units, -units));

export const TRANSACTIONS: fc.Arbitrary<Omit<PastTransaction, 'guildId'>[]> = fc
  .array(
    fc.record({
      playerId: line,
      transactionId: fc.uuid(),
      amountUnits,
      quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 999 })),
      name: line,
      source: line,
      createdAtMs: fc.integer({ min: -5, max: NOON_MS }),
      reference: fc.option(line, { nil: undefined }),
      metadata: fc.option(fc.constantFrom({ a: '1', b: '' }, { '_.-': '"Ü"' }), { nil: undefined }),
      paymentId: fc.option(fc.uuid(), { nil: undefined }),
      isTakenBack: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all
      .map((one) => ({ ...one, totalUnits: one.amountUnits * one.quantity }))
      .filter((one) => Number.isSafeInteger(one.totalUnits))
      .sort((a, b) => a.createdAtMs - b.createdAtMs)
      .flatMap(({ isTakenBack, ...one }) => (isTakenBack ? [one, reversalOf(one)] : [one])),
  );

type RandomTransaction = Omit<PastTransaction, 'guildId'>;

/** The opposite of a transaction, linked to it. The id differs in its first digit. */
function reversalOf(one: RandomTransaction): RandomTransaction {
  const {
    playerId,
    transactionId,
    amountUnits: units,
    quantity,
    name,
    source,
    totalUnits,
    createdAtMs,
  } = one;
  return {
    playerId,
    transactionId: `${transactionId.startsWith('0') ? '1' : '0'}${transactionId.slice(1)}`,
    amountUnits: -units,
    quantity,
    name,
    source,
    totalUnits: -totalUnits,
    createdAtMs,
    reverses: transactionId,
  };
}
