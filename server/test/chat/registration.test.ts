import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toRegistered } from '../../src/chat-platform/discord/registration.ts';
import { BUILT_IN_COMMANDS, CHAT_COMMANDS } from '../../src/domain/chat/commands.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { APPLICATION_ID, DISCORD_ENVIRONMENT } from './fake-discord.ts';

const BOT_TOKEN = 'chat-bot-token-1';
const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;

interface Named {
  name: string;
  name_localizations?: Record<string, string> | null;
  description: string;
  description_localizations?: Record<string, string> | null;
}

/** Discord's rules for names and descriptions, in every language. */
function assertTexts({ name, name_localizations, description, description_localizations }: Named): void {
  for (const text of [name, ...Object.values(name_localizations ?? {})]) {
    expect(text).toMatch(NAME);
    expect(text).toBe(text.toLowerCase());
  }
  for (const text of [description, ...Object.values(description_localizations ?? {})]) {
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(100);
  }
}

function assertUnique(all: readonly Named[]): void {
  for (const locale of [undefined, 'de', 'fr', 'es-ES', 'es-419', 'pt-BR', 'ja']) {
    const names = all.map((one) => (locale === undefined ? one.name : one.name_localizations?.[locale]));
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(all.length);
  }
}

describe('the registered commands', () => {
  // As Discord gets them.
  const registered: (Named & { options: (Named & { required?: boolean })[] })[] = JSON.parse(
    JSON.stringify(CHAT_COMMANDS.map(toRegistered)),
  );

  test('have names and descriptions that Discord accepts, in six languages', () => {
    assertUnique(registered);
    for (const command of registered) {
      assertTexts(command);
      const { options } = command;
      expect(options.length).toBeLessThanOrEqual(25);
      assertUnique(options);
      options.forEach(assertTexts);
    }
  });

  test('have their required options first', () => {
    for (const { options } of registered) {
      const required = options.map((option) => option.required === true);
      expect(required).toEqual(required.toSorted((one, other) => Number(other) - Number(one)));
    }
  });

  test('are all in the catalogue, with help', () => {
    expect(BUILT_IN_COMMANDS.map(({ name }) => name)).toEqual(registered.map(({ name }) => name));
    expect(BUILT_IN_COMMANDS.find(({ name }) => name === 'pay')?.extendedHelp).toContain(
      'Usage: /pay member amount [note]',
    );
  });
});

describe('guildbook chat', () => {
  let server: Server;
  let service: TestService;
  let address: string;
  let facts: { id: string; verify_key: string; interactions_endpoint_url: string | null };
  const stored = new Map<string, Named[]>();
  let writes: string[] = [];

  /** Discord keeps what it got, with fields of its own, and leaves out what is false. */
  function keep(path: string, command: Named): void {
    const plain = JSON.parse(JSON.stringify(command, (_key, value) => (value === false ? undefined : value)));
    const others = (stored.get(path) ?? []).filter(({ name }) => name !== command.name);
    stored.set(path, [...others, { ...plain, id: '1', version: '2', default_member_permissions: null }]);
    writes.push(`${path} ${command.name}`);
  }

  beforeAll(async () => {
    service = await startTestService(DISCORD_ENVIRONMENT);
    address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    server = createServer(async (request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const body = await read(request);
      const isKnown = request.headers.authorization === `Bot ${BOT_TOKEN}`;
      if (isKnown && request.method === 'POST') {
        keep(path, JSON.parse(body));
      }
      const answer = path.endsWith('/@me') ? facts : (stored.get(path) ?? []);
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isKnown ? answer : { message: '401: Unauthorized', code: 0 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await service.stop();
  });
  beforeEach(() => {
    stored.clear();
    writes = [];
    facts = {
      id: APPLICATION_ID,
      verify_key: DISCORD_ENVIRONMENT.CHAT_PUBLIC_KEY,
      interactions_endpoint_url: `${address}/chat/interactions`,
    };
  });

  const run = (args: string[], changes: Record<string, string> = {}) =>
    runInShared(['chat', ...args], {
      cwd: createFolder(),
      env: {
        ...DISCORD_ENVIRONMENT,
        CHAT_BOT_TOKEN: BOT_TOKEN,
        CHAT_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        PUBLIC_URL: address,
        ...changes,
      },
    });

  test('register puts every command once, and repeating it changes nothing', async () => {
    const path = `/applications/${APPLICATION_ID}/commands`;
    stored.set(path, [{ name: 'theirs', description: 'Of another bot.' }]);
    const first = await run(['register']);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/\/balance +new/);
    expect(writes).toHaveLength(CHAT_COMMANDS.length);
    expect(stored.get(path)?.[0]?.name).toBe('theirs');
    const second = await run(['register']);
    expect(second.stdout).not.toMatch(/ (new|changed) /);
    expect(writes).toHaveLength(CHAT_COMMANDS.length);
  });

  test('register shows what differs, changes nothing in a dry run, and can be for one guild', async () => {
    const path = `/applications/${APPLICATION_ID}/guilds/8142/commands`;
    await run(['register', '--guild', '8142']);
    expect(writes.every((write) => write.startsWith(path))).toBe(true);
    const known = stored.get(path) ?? [];
    stored.set(
      path,
      known.map((one) => (one.name === 'pay' ? { ...one, description: 'Old.' } : one)),
    );
    writes = [];
    const dry = await run(['register', '--guild', '8142', '--dry-run']);
    expect(dry.stdout).toMatch(/\/pay +changed +description\n/);
    expect(writes).toEqual([]);
    await run(['register', '--guild', '8142']);
    expect(writes).toEqual([`${path} pay`]);
  });

  test('check is satisfied when everything is right', async () => {
    await run(['register']);
    const { status, stdout } = await run(['check']);
    expect(
      stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/)[1]),
    ).toEqual(Array(8).fill('ok'));
    expect(status).toBe(0);
  });

  test.each([
    ['a missing key', { CHAT_PUBLIC_KEY: '' }, 'CHAT_PUBLIC_KEY must be set'],
    ['another key', { CHAT_PUBLIC_KEY: 'ab'.repeat(32) }, 'CHAT_PUBLIC_KEY must be'],
    ['a wrong token', { CHAT_BOT_TOKEN: 'other' }, 'Discord refuses CHAT_BOT_TOKEN'],
    ['another application', { CHAT_APPLICATION_ID: '42' }, `belongs to the application ${APPLICATION_ID}`],
    ['no commands', {}, 'are not registered'],
    ['no address', { PUBLIC_URL: '' }, 'PUBLIC_URL must be set'],
    ['an address where nothing listens', { PUBLIC_URL: 'http://127.0.0.1:9' }, 'cannot be reached'],
    ['no Discord', { CHAT_API_URL: 'http://127.0.0.1:9' }, 'Discord cannot be reached'],
  ])('check names %s and ends with an error', async (_name, changes, said) => {
    const { status, stdout } = await run(['check'], changes);
    expect(stdout).toContain(said);
    expect(status).not.toBe(0);
  });

  test('check says when the address is not entered in the developer portal', async () => {
    facts.interactions_endpoint_url = null;
    expect((await run(['check'])).stdout).toContain(`enter ${address}/chat/interactions`);
  });
});

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
  }
  return text;
}
