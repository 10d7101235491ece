import { enveloped } from './envelope.ts';
import { EXAMPLE_ENTRY } from './examples.ts';
import { nullable, Type } from './type.ts';

const EXAMPLE_ORIGIN = 'guildbook.example/seal/81423977';
const EXAMPLE_HASH = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const EXAMPLE_CHECKPOINT =
  `${EXAMPLE_ORIGIN}\n1043\n${EXAMPLE_HASH}\n\n` +
  `— ${EXAMPLE_ORIGIN} Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n`;
const EXAMPLE_VERIFIER_KEY = `${EXAMPLE_ORIGIN}+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8`;

const origin = Type.String({
  description: 'Identifies the log: the first line of its checkpoints and the name of its keys.',
  examples: [EXAMPLE_ORIGIN],
});
const checkpointText = 'The signed size and root of the log, as in c2sp.org/tlog-checkpoint.';
const checkpoint = Type.String({ description: checkpointText, examples: [EXAMPLE_CHECKPOINT] });
const hashes = (description: string) =>
  Type.Array(Type.String({ examples: [EXAMPLE_HASH] }), { description });
const text = (description: string) => Type.String({ description });
const nullableText = (description: string) => nullable<string>({ type: 'string', description });

/** A transaction as its leaf has it. Its canonical JSON (RFC 8785) is the text of the leaf. */
export const SealedTransaction = Type.Object(
  {
    amount: text('Amount of one, as a decimal.'),
    balanceAfter: text('The balance right after it, as a decimal.'),
    createdAt: text('Time in UTC, with milliseconds.'),
    metadata: nullable<Record<string, string>>({
      type: 'object',
      description: 'As it was posted.',
      additionalProperties: { type: 'string' },
    }),
    name: text('As it was posted.'),
    number: Type.Integer({ description: 'Its number in the guild.' }),
    paymentId: nullableText('The payment that it is one side of.'),
    playerId: text('Player whose account it belongs to.'),
    postedBy: Type.Object({
      id: nullableText('Id of the key, or chatId of the person; null for an import.'),
      kind: text('`key`, `user` or `import`.'),
    }),
    quantity: Type.Integer({ description: 'As it was posted.' }),
    reference: nullableText('As it was posted.'),
    reverses: nullableText('The transaction that this one takes back.'),
    source: text('As it was posted.'),
    total: text('Amount times quantity, as a decimal.'),
    transactionId: text('Its id.'),
  },
  { description: 'The transaction as it was sealed. Its canonical JSON (RFC 8785) is the leaf.' },
);

export const SealReply = enveloped(
  Type.Object({
    origin,
    verifierKeys: Type.Array(Type.String({ examples: [EXAMPLE_VERIFIER_KEY] }), {
      description: 'The keys that check the signatures, the newest first. Keep them somewhere else.',
    }),
    firstNumber: Type.Integer({ description: 'The number of the transaction that is the first leaf.' }),
    size: Type.Integer({ description: 'The number of sealed transactions.' }),
    behind: Type.Integer({ description: 'Transactions that are not sealed yet.' }),
    sealedAt: nullableText('When it was last sealed; null before the first time.'),
    checkpoint: nullable<string>({ type: 'string', description: checkpointText }),
  }),
);

export const Receipt = Type.Object({
  origin,
  index: Type.Integer({ description: 'The place of the leaf in the log, from 0.' }),
  transaction: SealedTransaction,
  proof: hashes('The inclusion proof in base64, from the sibling of the leaf to the child of the root.'),
  checkpoint,
  verifierKey: Type.String({
    description: 'The key that checks the signature. Compare it with the one that you know.',
    examples: [EXAMPLE_VERIFIER_KEY],
  }),
});
export const ReceiptReply = enveloped(Type.Object({ receipt: Receipt }));

export const ConsistencyQuery = Type.Object({
  from: Type.Integer({
    description: 'The size of an older checkpoint.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [1],
  }),
});
export const ConsistencyReply = enveloped(
  Type.Object({
    from: Type.Integer({ description: 'The size of the older checkpoint.' }),
    size: Type.Integer({ description: 'The size of the present one.' }),
    proof: hashes('The consistency proof in base64, as in RFC 6962.'),
    checkpoint,
  }),
);

export const SealedGuildParams = Type.Object({
  guildId: Type.String({ description: 'The guild.', minLength: 1, maxLength: 64 }),
});

export const EXAMPLE_SEAL = {
  origin: EXAMPLE_ORIGIN,
  verifierKeys: [EXAMPLE_VERIFIER_KEY],
  firstNumber: 1,
  size: 1043,
  behind: 0,
  sealedAt: EXAMPLE_ENTRY.createdAt,
  checkpoint: EXAMPLE_CHECKPOINT,
};

export const EXAMPLE_SEALED = {
  origin: EXAMPLE_ORIGIN,
  size: 1043,
  root: EXAMPLE_HASH,
  checkpoint: EXAMPLE_CHECKPOINT,
};

export const EXAMPLE_RECEIPT = {
  origin: EXAMPLE_ORIGIN,
  index: 1041,
  transaction: {
    amount: '12.5',
    balanceAfter: '1280.75',
    createdAt: EXAMPLE_ENTRY.createdAt,
    metadata: EXAMPLE_ENTRY.metadata,
    name: EXAMPLE_ENTRY.name,
    number: EXAMPLE_ENTRY.number,
    paymentId: null,
    playerId: EXAMPLE_ENTRY.playerId,
    postedBy: { id: EXAMPLE_ENTRY.postedBy.id, kind: 'key' },
    quantity: 1,
    reference: EXAMPLE_ENTRY.reference,
    reverses: null,
    source: EXAMPLE_ENTRY.source,
    total: '12.5',
    transactionId: EXAMPLE_ENTRY.transactionId,
  },
  proof: [EXAMPLE_HASH],
  checkpoint: EXAMPLE_CHECKPOINT,
  verifierKey: EXAMPLE_VERIFIER_KEY,
};

export const EXAMPLE_CONSISTENCY = {
  from: 1000,
  size: 1043,
  proof: [EXAMPLE_HASH],
  checkpoint: EXAMPLE_CHECKPOINT,
};
