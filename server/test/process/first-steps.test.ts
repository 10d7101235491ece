import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeFirstSteps } from '../../src/cli/first-steps.ts';
import { COMMAND } from '../../src/command-name.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { startServer } from '../support/process.ts';

const NO_GUILD = 'the store has no guild yet';

describe('a service that starts', () => {
  test('on a store without a guild logs the commands that make one, as the program was invoked', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd });
    const find = () => server.output.find((line) => line.includes(NO_GUILD));
    await untilTrue(() => find() !== undefined);
    expect(JSON.parse(find() ?? '')).toMatchObject({
      level: 30,
      commands: [
        `${COMMAND} guild set <guildId> --name "My Guild" --plan developer`,
        `${COMMAND} key create --guild <guildId> --name "my bot" --scopes guild:read,guild:write --expires 90d`,
      ],
      dashboard: `${server.address}/dashboard/`,
      signIn: expect.stringContaining('CHAT_CLIENT_ID and CHAT_CLIENT_SECRET'),
    });
  });

  test('on a store with a guild says nothing about it', async () => {
    const cwd = createFolder();
    const file = path.join(cwd, 'guildbook.db');
    await createPoster(file, 1);
    const server = await startServer({ cwd, env: { DATABASE_URL: `sqlite:${file}` } });
    server.child.kill('SIGTERM');
    await server.ended;
    expect(server.output.filter((line) => line.includes(NO_GUILD))).toEqual([]);
  });
});

test('a terminal gets the same as text', () => {
  const text = describeFirstSteps({
    commands: ['guildbook guild set <guildId>', 'guildbook key create'],
    dashboard: 'http://127.0.0.1:3000/dashboard/',
    signIn: 'needs CHAT_CLIENT_ID',
  });
  expect(text).toContain('\n  guildbook guild set <guildId>\n  guildbook key create\n');
  expect(text).toContain('Dashboard  http://127.0.0.1:3000/dashboard/\n');
  expect(text).toContain('Sign-in    needs CHAT_CLIENT_ID\n');
});
