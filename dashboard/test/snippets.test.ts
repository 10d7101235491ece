import { execFileSync } from 'node:child_process';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellQuote } from '../src/components/shell-quote.ts';
import type { BuiltRequest } from '../src/docs/request/build-request.ts';
import { curlSnippet, fetchSnippet, maskRequest, scriptQuote } from '../src/docs/request/snippets.ts';

const awkward = `it's "quoted" \`ticks\` $HOME \\ back \n line é 🜚 @file %s !`;

const request: BuiltRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:3000/guild/ledger',
  headers: [{ name: 'x-api-key', value: 'gbk_secret_secret', secret: 'gbk_secret_secret' }],
  body: JSON.stringify({ name: awkward }),
};

describe('shell quoting', () => {
  test('a shell reads back exactly what was quoted', () => {
    const output = execFileSync('sh', ['-c', `printf %s ${shellQuote(awkward)}`]).toString();
    expect(output).toBe(awkward);
  });

  test('the curl snippet hands curl the address, the headers and the body unchanged', () => {
    const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${curlSnippet(request)}`;
    const words = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
    const [header] = request.headers;
    expect(words).toEqual([request.url, '-H', `x-api-key: ${header?.value}`, '--data-raw', request.body]);
  });

  test('a method that curl would not choose itself is named', () => {
    expect(curlSnippet({ ...request, method: 'PUT' })).toMatch(/^curl -X PUT /);
    expect(curlSnippet({ ...request, method: 'GET', body: undefined })).not.toContain('-X');
  });
});

describe('the fetch snippet', () => {
  test('a script reads back any text that was quoted', () => {
    const anything = fc.oneof(
      fc.integer({ min: 0, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10ffff }),
      fc.constantFrom(...Array.from('\'"`\\$\n\r\0\u2028\u2029', (character) => character.charCodeAt(0))),
    );
    const texts = fc.array(anything).map((codePoints) => String.fromCodePoint(...codePoints));
    // One for all, since making a context takes far longer than running a line in it.
    const context = createContext();
    fc.assert(fc.property(texts, (text) => runInContext(scriptQuote(text), context) === text));
  });

  test('carries the body as an expression that gives the same JSON', () => {
    const expression = /body: JSON\.stringify\((.*)\),\n}\);/s.exec(fetchSnippet(request))?.[1];
    expect(JSON.stringify(runInNewContext(`(${expression})`))).toBe(request.body);
  });

  test('shows a body that is not JSON yet as it stands', () => {
    expect(fetchSnippet({ ...request, body: '{"a":' })).toContain(`body: '{"a":',`);
  });
});

test('a masked request shows no more than the first characters of a secret', () => {
  const shown = curlSnippet(maskRequest(request));
  expect(shown).toContain('gbk_••••');
  expect(shown).not.toContain('secret');
});
