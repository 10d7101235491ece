import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { startServer } from '../support/process.ts';

test('the demo prints who can be picked, lets them sign in, and stops with its platform', async () => {
  const server = await startServer({ cwd: createFolder(), command: 'demo' });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const begin = await fetch(`${server.address}/dashboard/api/sign-in`, { redirect: 'manual' });
  const authorizeUrl = begin.headers.get('location') ?? '';
  const page = await (await fetch(authorizeUrl)).text();
  const people = Array.from(page.matchAll(/class="name">([^<]+)</g), ([, name = '']) => name);
  expect(people).toHaveLength(5);
  const [person = ''] = /(?<=value=")\d+/.exec(page) ?? [];
  const consent = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams({ person }),
    redirect: 'manual',
  });
  const [cookie = ''] = (begin.headers.get('set-cookie') ?? '').split(';');
  const back = await fetch(consent.headers.get('location') ?? '', {
    headers: { cookie },
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toBe('/dashboard/');
  const [session = ''] = (back.headers.get('set-cookie') ?? '').split(';');
  const guilds = await fetch(`${server.address}/dashboard/api/guilds`, { headers: { cookie: session } });
  expect(await guilds.json()).toMatchObject({
    data: [{ role: 'owner', state: 'ready' }, { state: 'unknown' }],
  });
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
  const printed = server.output.join('\n');
  for (const name of people) {
    expect(printed).toContain(name);
  }
});
