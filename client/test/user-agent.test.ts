import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';

test('requests name the library with the version of its package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const sent: Headers[] = [];
  const client = createClient({
    baseUrl: 'http://guildbook.example',
    apiKey: 'gbk_x',
    fetch: async (_url, init) => {
      sent.push(new Headers(init.headers));
      return Response.json({ success: true, data: { id: 'x' } });
    },
  });
  await client.getDischarge('x').catch(() => undefined);
  expect(sent.map((headers) => headers.get('user-agent'))).toEqual([`guildbook-client/${version}`]);
});
