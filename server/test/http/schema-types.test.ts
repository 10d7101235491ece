import { Type as TypeBox } from 'typebox';
import { expect, it } from 'vitest';
import { Type } from '../../src/wire/type.ts';

const plain = (schema: unknown) => JSON.stringify(schema);

it('our builders make the schemas that TypeBox makes, to the order of their fields', () => {
  const build = (type: typeof Type) =>
    type.Object(
      {
        text: type.String({ minLength: 1, format: 'text-line' }),
        maybe: type.Optional(type.Integer({ minimum: 1 })),
        amount: type.Number({ description: 'An amount.' }),
        list: type.Array(type.Literal(true), { maxItems: 3 }),
        word: type.Literal('word'),
        map: type.Optional(type.Record(type.String(), type.Unknown())),
        nothing: type.Null(),
        flag: type.Boolean({ description: 'A flag.' }),
        any: type.Unknown(),
        choice: type.Unsafe<'a'>({ type: 'string', enum: ['a'] }),
        empty: type.Object({ only: type.Optional(type.Boolean()) }),
      },
      { additionalProperties: false },
    );
  expect(plain(build(Type))).toBe(plain(build(TypeBox)));
});
