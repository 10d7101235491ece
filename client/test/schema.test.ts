import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clientTypes } from '../../scripts/client-types.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = path.join(ROOT, 'node_modules', '.bin');

/** Puts one schema, and whatever else is given, into a document. */
function documentOf(schemas: object, paths: object = {}, components: object = {}): object {
  return { openapi: '3.1.0', paths, components: { ...components, schemas } };
}

/** The types made from schemas, without the header. */
function typesOf(schemas: object): string {
  return clientTypes(documentOf(schemas)).replace(/^.*\n\n/, '');
}

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

describe('a schema becomes a type', () => {
  test.each<[string, object, string]>([
    ['string', { type: 'string', format: 'uuid' }, 'string'],
    ['integer', { type: 'integer' }, 'number'],
    ['number', { type: 'number' }, 'number'],
    ['boolean', { type: 'boolean' }, 'boolean'],
    ['null', { type: 'null' }, 'null'],
    ['anything', { description: '' }, 'unknown'],
    ['const', { const: 'a' }, "'a'"],
    ['const of a boolean', { type: 'boolean', const: false }, 'false'],
    ['enum', { type: 'string', enum: ['a', "it's"] }, `'a' | "it's"`],
    ['enum with null', { enum: [null, 1, 2] }, '1 | 2 | null'],
    ['nullable by type', { type: ['null', 'string'] }, 'string | null'],
    [
      'nullable by anyOf',
      { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
      'Thing | null',
    ],
    ['one of several', { oneOf: [{ type: 'integer' }, { type: 'string' }] }, 'number | string'],
    ['reference', { $ref: '#/components/schemas/Thing' }, 'Thing'],
    ['array', { type: 'array', items: { $ref: '#/components/schemas/Thing' } }, 'Thing[]'],
    ['array of a union', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    ['array of arrays', { type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'string[][]'],
    ['map', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    ['array of maps', { type: 'array', items: { type: 'object' } }, 'Record<string, unknown>[]'],
  ])('%s', (_name, schema, expected) => {
    expect(typesOf({ It: schema })).toBe(`export type It = ${expected};\n`);
  });

  test('object, with optional and nullable fields, inner objects and comments', () => {
    const inner = { ...thing, description: 'Inside.' };
    const properties = {
      plain: { type: 'string', description: 'What it is. */' },
      'odd-name': { type: ['integer', 'null'], default: 3 },
      inner: { anyOf: [inner, { type: 'null' }] },
      list: { type: 'array', items: thing },
    };
    expect(
      typesOf({ It: { type: 'object', required: ['plain', 'inner'], properties } }),
    ).toBe(`export interface It {
  /** What it is. *\\/ */
  plain: string;
  /** Default: 3. */
  'odd-name'?: number | null | undefined;
  inner: ItInner | null;
  list?: ItListItem[] | undefined;
}

/** Inside. */
export interface ItInner {
  id: string;
}

export interface ItListItem {
  id: string;
}
`);
  });

  test('object that may be null, wherever it says so', () => {
    const named = 'export interface ItObject {\n  id: string;\n}\n';
    const alias = 'export type It = ItObject | null;\n\n';
    expect(typesOf({ It: { ...thing, type: ['object', 'null'] } })).toBe(alias + named);
    expect(typesOf({ It: { anyOf: [thing, { type: 'null' }] } })).toBe(alias + named);
    const field = typesOf({
      It: { type: 'object', properties: { at: { ...thing, type: ['object', 'null'] } } },
    });
    expect(field).toContain('  at?: ItAt | null | undefined;\n');
  });

  test('named like a global, under a name that hides none', () => {
    expect(typesOf({ Error: thing, It: { $ref: '#/components/schemas/Error' } })).toContain(
      'type It = ErrorBody;',
    );
  });

  test('or is refused, when there is no type for it', () => {
    expect(() => typesOf({ It: { type: 'file' } })).toThrow('It cannot be expressed as a type');
    expect(() => typesOf({ It: { minimum: 1 } })).toThrow('It cannot be expressed as a type');
    expect(() => typesOf({ It: { ...thing, properties: { id: thing } }, ItId: thing })).toThrow(
      'called ItId',
    );
    expect(() => clientTypes('text')).toThrow('the document is not an object');
  });
});

const LONG = 'a rather long description that goes on '.repeat(6);

/** A document with everything that is hard to write down. */
const HARD_DOCUMENT = documentOf(
  {
    Thing: { ...thing, description: `${LONG}\n\nAnd on.` },
    LongUnion: { enum: Array.from({ length: 9 }, (_, index) => `a value of the enum number ${index}`) },
    Holder: {
      type: 'object',
      properties: {
        long: { enum: Array.from({ length: 5 }, (_, index) => `a value of the enum number ${index}`) },
        list: { type: 'array', items: { enum: Array.from({ length: 9 }, (_, index) => `value ${index}`) } },
        two: { oneOf: [thing, { type: 'object', properties: { quote: { const: `"'"` } } }] },
        '2nd name': { description: LONG, type: 'string' },
      },
    },
  },
  {
    '/things/{thingId}': {
      parameters: [{ $ref: '#/components/parameters/ThingId' }],
      put: {
        operationId: 'putThing',
        parameters: [{ name: 'X-Mode', in: 'header', schema: { type: 'string', enum: ['a', 'b'] } }],
        requestBody: { content: { 'application/json': { schema: { type: 'array', items: thing } } } },
        responses: { 204: { description: 'Done' }, 400: { description: 'Wrong' } },
      },
      get: { responses: { 200: { $ref: '#/components/responses/Thing' }, 202: { description: 'Later' } } },
    },
  },
  {
    parameters: { ThingId: { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } } },
    responses: {
      Thing: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
    },
  },
);

describe('operations', () => {
  test('have types for what they take and answer', () => {
    const text = clientTypes(HARD_DOCUMENT);
    expect(text).toMatch(
      /^\/\/ Made from docs\/openapi\.json by `npm run generate`; do not edit by hand\.\n/,
    );
    expect(text).toContain('export interface PutThingPath {\n  thingId: string;\n}');
    expect(text).toContain("export interface PutThingHeaders {\n  'X-Mode'?: 'a' | 'b' | undefined;\n}");
    expect(text).toContain('export type PutThingBody = PutThingBodyItem[];');
    expect(text).toContain('export type PutThingReply = undefined;');
    expect(text).toContain('export type GetThingsThingIdReply = Thing | undefined;');
  });
});

describe('the text', () => {
  test('is accepted as it is by formatter, linter and compiler', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-client-'));
    try {
      const text = clientTypes(HARD_DOCUMENT);
      const options = { input: text, cwd: ROOT, encoding: 'utf8' } as const;
      const name = '--stdin-file-path=client/src/hard.ts';
      expect(execFileSync(path.join(PROGRAMS, 'biome'), ['check', '--write', name], options)).toBe(text);
      const file = path.join(folder, 'schema.ts');
      writeFileSync(file, text);
      execFileSync(path.join(PROGRAMS, 'tsc'), ['--noEmit', '--strict', '--ignoreConfig', file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is the same for the same document', () => {
    expect(clientTypes(structuredClone(HARD_DOCUMENT))).toBe(clientTypes(HARD_DOCUMENT));
  });
});
