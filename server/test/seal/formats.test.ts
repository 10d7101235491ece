import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, toBase64 } from '../../src/domain/seal/bytes.ts';
import { canonicalJson, type Json } from '../../src/domain/seal/canonical-json.ts';
import { parseCheckpoint } from '../../src/domain/seal/checkpoint.ts';
import { type Leaf, leafText, toLeaf } from '../../src/domain/seal/leaf.ts';
import {
  formatNote,
  formatVerifierKey,
  keyIdInput,
  parseNote,
  parseVerifierKey,
  toKeyId,
} from '../../src/domain/seal/note.ts';
import { formatProof, parseProof } from '../../src/domain/seal/proof-text.ts';
import { SealError, type SealFault } from '../../src/domain/seal/seal-error.ts';
import {
  makeSealKey,
  openCheckpoint,
  openSealKey,
  signCheckpoint,
  verifierKeyOf,
  verifierKeyText,
} from '../../src/domain/seal/signing.ts';
import { formatTilePath, parseTilePath, tileWidth } from '../../src/domain/seal/tiles.ts';
import { hashLeaf, sha256 } from '../../src/domain/seal/tree.ts';

function faultOf(work: () => unknown): SealFault | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof SealError ? error.fault : undefined;
  }
  return undefined;
}

describe('canonical JSON', () => {
  it('is that of the examples in RFC 8785', () => {
    const given: Json = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders names by UTF-16 code units, numbers among them too', () => {
    const given = { '€': 1, '\r': 2, '\ufb33': 3, '10': 4, '9': 5, '😂': 6, '\u0080': 7, ö: 8 };
    expect([...canonicalJson(given).matchAll(/:(\d)/g)].map(([, value]) => value).join('')).toBe('24578163');
  });
});

const texts = fc.string({ unit: 'binary', maxLength: 20 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const transactions = fc.record({
  number: fc.integer({ min: 1, max: 2 ** 50 }),
  transactionId: fc.uuid(),
  playerId: texts,
  amountUnits: fc.maxSafeInteger(),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  totalUnits: fc.maxSafeInteger(),
  balanceUnits: fc.maxSafeInteger(),
  name: texts,
  source: texts,
  createdAtMs: fc.integer({ min: 0, max: 4e12 }),
  reference: maybe(texts),
  metadata: maybe(
    fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}$/), texts, { noNullPrototype: true }),
  ),
  paymentId: maybe(fc.uuid()),
  reverses: maybe(fc.uuid()),
  keyId: maybe(fc.uuid()),
  postedBy: maybe(texts),
});

describe('a leaf', () => {
  it('is canonical JSON', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const leaf: Leaf = toLeaf(transaction);
        expect(leafText(leaf)).toBe(canonicalJson({ ...leaf }));
        expect(JSON.parse(leafText(leaf))).toEqual(leaf);
      }),
    );
  });

  it('has the documented text and hash', () => {
    const leaf = toLeaf({
      number: 7,
      transactionId: '0192f0c1-7d5a-7abc-8def-0123456789ab',
      playerId: '4711',
      amountUnits: -125_000,
      quantity: 2,
      totalUnits: -250_000,
      balanceUnits: 1_000_001,
      name: 'Sword of "Dawn"',
      source: 'shop',
      createdAtMs: Date.UTC(2026, 10, 18, 7, 30),
      reference: 'order-12',
      metadata: { '10': 'ten', '9': 'nine' },
      paymentId: null,
      reverses: null,
      keyId: '5f0c2b1e-0a4f-4a52-9d3e-6f0f5f8f6a11',
      postedBy: null,
    });
    expect(leafText(leaf)).toBe(
      '{"amount":"-12.5","balanceAfter":"100.0001","createdAt":"2026-11-18T07:30:00.000Z",' +
        '"metadata":{"10":"ten","9":"nine"},"name":"Sword of \\"Dawn\\"","number":7,"paymentId":null,"playerId":"4711",' +
        '"postedBy":{"id":"5f0c2b1e-0a4f-4a52-9d3e-6f0f5f8f6a11","kind":"key"},"quantity":2,"reference":"order-12",' +
        '"reverses":null,"source":"shop","total":"-25","transactionId":"0192f0c1-7d5a-7abc-8def-0123456789ab"}',
    );
    expect(hashLeaf('').toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });
});

describe('a signed note', () => {
  const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const EXAMPLE_NOTE =
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('of the specification is read and written again as it is, and has the key of its verifier key', () => {
    const key = parseVerifierKey(EXAMPLE_KEY);
    const note = parseNote(EXAMPLE_NOTE);
    expect(formatVerifierKey(key)).toBe(EXAMPLE_KEY);
    expect(formatNote(note)).toBe(EXAMPLE_NOTE);
    expect(note.text).toBe('This is an example message.\n');
    expect(note.signatures[0]?.keyId).toEqual(key.keyId);
    expect(toKeyId(sha256(keyIdInput(key.name, key.publicKey)))).toEqual(key.keyId);
  });

  it.each([
    '',
    'text\n',
    'text\n\n',
    'text\n\n— name\n',
    'text\n\n— name AAAA\n',
    'text\n\n- name AAAAAAAA\n',
    'text\n\n— na+me AAAAAAAA\n',
    'text\t\n\n— name AAAAAAAA\n',
    'text\n\n— name AAAAAAAA',
    `text\n\n${'— name AAAAAAAA\n'.repeat(65)}`,
  ])('is refused in another form: %j', (text) => {
    expect(faultOf(() => parseNote(text))).toBe('format');
  });
});

describe('a checkpoint', () => {
  const origin = 'guildbook.example/seal/8142';
  const [one, other] = [openSealKey(makeSealKey().secret), openSealKey(makeSealKey().secret)];
  const head = { origin, size: 20_852_163, root: Uint8Array.from(sha256(Buffer.from('root'))) };
  const text = signCheckpoint(head, [one]);

  it('is read with the key that signed it, and has its log, size and root', () => {
    const { note, ...read } = openCheckpoint(text, origin, [other.publicKey, one.publicKey]);
    expect(read).toEqual(head);
    expect(note.text).toBe(`${origin}\n20852163\n${toBase64(head.root)}\n`);
    expect(parseVerifierKey(verifierKeyText(origin, one.publicKey))).toEqual(
      verifierKeyOf(origin, one.publicKey),
    );
  });

  it('is read with either key while it has two signatures', () => {
    const both = signCheckpoint(head, [one, other]);
    for (const { publicKey } of [one, other]) {
      expect(openCheckpoint(both, origin, [publicKey]).size).toBe(head.size);
    }
  });

  it('is refused with another key, of another log, and when a letter was changed', () => {
    expect(faultOf(() => openCheckpoint(text, origin, [other.publicKey]))).toBe('key');
    expect(faultOf(() => openCheckpoint(text, 'guildbook.example/seal/1', [one.publicKey]))).toBe('key');
    const grown = text.replace('20852163', '20852164');
    expect(faultOf(() => openCheckpoint(grown, origin, [one.publicKey]))).toBe('signature');
  });

  it.each(['01', '-1', '1.5', '9007199254740993', 'x', ''])('is refused with the size %j', (size) => {
    const altered = text.replace('20852163', size);
    expect(faultOf(() => parseCheckpoint(altered))).toBe('format');
  });
});

describe('a proof as text', () => {
  const checkpoint = signCheckpoint(
    { origin: 'guildbook.example/seal/8142', size: 9, root: Uint8Array.from(sha256(Buffer.from('root'))) },
    [openSealKey(makeSealKey().secret)],
  );
  const hashes = ['a', 'b'].map((text) => Uint8Array.from(sha256(Buffer.from(text))));

  it('has the lines of the specification', () => {
    const text = formatProof({ extra: Buffer.from('{}'), index: 3, hashes, checkpoint });
    expect(text).toBe(
      `c2sp.org/tlog-proof@v1\nextra e30=\nindex 3\n${hashes.map(toBase64).join('\n')}\n\n${checkpoint}`,
    );
    expect(parseProof(text)).toEqual({
      extra: Uint8Array.from(Buffer.from('{}')),
      index: 3,
      hashes,
      checkpoint,
    });
    const short = formatProof({ index: 0, hashes: [], checkpoint });
    expect(parseProof(short)).toEqual({ extra: undefined, index: 0, hashes: [], checkpoint });
  });

  it('is refused when it is cut off or has another form', () => {
    const text = formatProof({ index: 3, hashes, checkpoint });
    for (const wrong of [
      '',
      text.slice(0, 30),
      text.replace('@v1', '@v2'),
      text.replace('index 3', 'index 03'),
    ]) {
      expect(faultOf(() => parseProof(wrong))).toBe('format');
    }
  });
});

describe('the path of a tile', () => {
  it('is that of the specification', () => {
    expect(formatTilePath({ level: 0, tileNo: 1_234_067 })).toBe('0/x001/x234/067');
    expect(formatTilePath({ level: 2, tileNo: 0 }, 17)).toBe('2/000.p/17');
    expect(parseTilePath('0/x001/x234/067')).toEqual({ level: 0, tileNo: 1_234_067, width: 256 });
    expect(parseTilePath('1/005.p/255')).toEqual({ level: 1, tileNo: 5, width: 255 });
  });

  it.each([
    '',
    '0',
    '0/1',
    '0/x000/001',
    '00/001',
    '7/000',
    '0/001.p/0',
    '0/001.p/256',
    '0/001.p/01',
    '0/001/',
    '0/x001',
  ])('is no other: %j', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });

  it('is read again as it was written', () => {
    fc.assert(
      fc.property(
        fc.nat(6),
        fc.maxSafeInteger(),
        fc.integer({ min: 1, max: 256 }),
        (level, number, width) => {
          const name = { level, tileNo: Math.abs(number) };
          expect(parseTilePath(formatTilePath(name, width))).toEqual({ ...name, width });
        },
      ),
    );
  });

  it('has as many hashes as the log has complete subtrees', () => {
    expect(tileWidth({ level: 0, tileNo: 1 }, 300)).toBe(44);
    expect(tileWidth({ level: 0, tileNo: 0 }, 300)).toBe(256);
    expect(tileWidth({ level: 0, tileNo: 2 }, 300)).toBe(0);
    expect(tileWidth({ level: 1, tileNo: 0 }, 65_535)).toBe(255);
    expect(tileWidth({ level: 2, tileNo: 0 }, 65_536)).toBe(1);
  });
});

describe('base64', () => {
  it.each(['A', 'AA', 'AB==', 'AAAB=', 'AA=A', 'A A=', '_w=='])('of another form is refused: %j', (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });
});
