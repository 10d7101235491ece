import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referenceForGuild } from '../src/docs/reference/for-guild.ts';
import { readDocument } from '../src/docs/reference/read-document.ts';
import { buildRequest } from '../src/docs/request/build-request.ts';
import { initialValues } from '../src/docs/request/form-values.ts';
import { longText, luauQuote, luauSnippet } from '../src/docs/request/luau-snippet.ts';
import { pythonSnippet, quote } from '../src/docs/request/python-snippet.ts';

const awkward = [`it's "quoted" \\ back \n\t line`, '\u0000\u001f\u007f', 'é 🜚 \u2028', '\\u0041 \\\\u', ''];

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const whole = readDocument(JSON.parse(read('docs/openapi.json')));
const ids = { guildId: 'g-1', playerId: '7', dischargeId: 'd-1', transferId: 't-1', username: 'Osric' };
const guild = referenceForGuild(whole, ids);
const operations = guild.groups.flatMap((group) => group.operations);

function operation(id: string) {
  const found = operations.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`No operation ${id}`);
  return found;
}

const python = (id: string, values = initialValues(operation(id))) =>
  pythonSnippet('https://a.example', operation(id), values) ?? '';

function luau(id: string, values = initialValues(operation(id))): string {
  const request = buildRequest({
    baseUrl: 'https://a.example',
    operation: operation(id),
    values,
    schemes: guild.credentials,
    credentials: {},
    withStandIns: true,
  });
  return luauSnippet('https://a.example', operation(id), { values, request }) ?? '';
}

describe('Python', () => {
  const sources = ['client', 'key_log', 'posts', 'reads', 'records', 'seal', 'webhooks'];
  const source = sources.map((name) => read(`clients/python/src/guildbook/_sync/${name}.py`)).join('\n');

  /** The parameters of a method, as the client declares them. */
  function parametersOf(method: string): string[] {
    const declared = new RegExp(`def ${method}\\(([\\s\\S]*?)\\) ->`).exec(source)?.[1];
    if (declared === undefined) throw new Error(`The client has no method ${method}`);
    return [...declared.matchAll(/(\w+):/g)].map(([, name = '']) => name);
  }

  test('every operation of a key calls a method that the client has, with parameters that it has', () => {
    for (const { id } of operations) {
      const code = python(id);
      const method = /guildbook\.(\w+)\(/.exec(code)?.[1] ?? '';
      const given = [...code.matchAll(/^ {8}(\w+)=|[(,] ?(\w+)=/gm)].map(([, one, other]) => one ?? other);
      expect({ id, unknown: given.filter((name) => !parametersOf(method).includes(name ?? '')) }).toEqual({
        id,
        unknown: [],
      });
    }
  });

  test('a post has its fields by name, an exact amount and the imports that it needs', () => {
    const values = initialValues(operation('postTransaction'));
    values.body = '{"playerId":"7","name":"Iron","quantity":3,"amount":12.5,"source":"shop"}';
    values.parameters['header:Idempotency-Key'] = 'order 1';
    expect(python('postTransaction', values)).toBe(
      [
        'import os',
        'from decimal import Decimal',
        '',
        'from guildbook import Guildbook',
        '',
        'with Guildbook("https://a.example", os.environ["GUILDBOOK_KEY"]) as guildbook:',
        '    posted = guildbook.post_transaction(',
        '        player_id="7",',
        '        name="Iron",',
        '        quantity=3,',
        '        amount=Decimal("12.5"),',
        '        source="shop",',
        '        idempotency_key="order 1",',
        '    )',
      ].join('\n'),
    );
  });

  test('texts are quoted as JSON, whose escapes Python shares', () => {
    expect(awkward.map((text) => JSON.parse(quote(text)))).toEqual(awkward);
  });
});

describe('Luau', () => {
  const source = read('clients/luau/Guildbook.luau');

  test('every operation of a key has one: the client’s call, or a plain request with the key as a secret', () => {
    for (const { id, security } of operations) {
      const code = luau(id);
      const method = /guildbook:(\w+)\(/.exec(code)?.[1];
      if (method === undefined && security.alternatives.length === 0) continue;
      if (method === undefined)
        expect(code, id).toContain('["x-api-key"] = HttpService:GetSecret("guildbook")');
      else expect(source, id).toContain(`function Guildbook.${method}(`);
      expect(code, id).not.toContain('YOUR_API_KEY');
    }
  });

  test('texts are quoted so that Luau reads the same back', () => {
    const unquote = (literal: string) =>
      JSON.parse(
        literal.replace(/\\(u\{([0-9a-f]{4})\}|.)/g, (all, _name, code) => (code ? `\\u${code}` : all)),
      );
    expect(awkward.map((text) => unquote(luauQuote(text)))).toEqual(awkward);
    expect(luauQuote('a\u0007"')).toBe('"a\\u{0007}\\""');
  });

  test('a body is in brackets that it does not hold', () => {
    expect(longText('{"a":1}')).toBe('[[{"a":1}]]');
    expect(longText('[[1]]')).toBe('[=[[[1]]]=]');
    expect(longText('["]=]"]')).toBe('[==[["]=]"]]==]');
  });
});
