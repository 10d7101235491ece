import { truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, DISCHARGE } from '../http/filled-service.ts';
import { untilTrue } from '../support/patience.ts';
import { createCommandPlace, history, toNdjson } from './command-place.ts';

/** Records that are written with one commit. */
const BATCH = 500;
/** Reading a hole of this size takes minutes, and it takes no space on the disk. */
const HOLE_BYTES = 2 ** 40;

describe('--strict', () => {
  test('takes all when all is well', async () => {
    const place = await createCommandPlace();
    place.write('h.ndjson', history(2.5 * BATCH));
    const result = await place.run('import', 'transactions', 'h.ndjson', '--strict');
    expect(result).toMatchObject({ status: 0, stdout: '' });
    expect(place.count('ledger_transaction')).toBe(2.5 * BATCH);
    expect((await place.run('verify')).stdout).toBe('Everything is in order.\n');
  });

  test('takes nothing when one line in the middle is bad, and names the line', async () => {
    const place = await createCommandPlace();
    const lines = history(3.5 * BATCH).split('\n');
    lines[2.5 * BATCH - 1] = '{"not":"a transaction"}';
    place.write('h.ndjson', lines.join('\n'));
    expect(await place.run('import', 'transactions', 'h.ndjson', '--strict')).toEqual({
      status: 1,
      stdout: '',
      stderr: `guildbook: line ${2.5 * BATCH}: playerId is missing; nothing was imported\n`,
    });
    expect(place.count('ledger_transaction')).toBe(0);
    expect(place.count('account')).toBe(0);
    expect(place.has('h.ndjson.rejected')).toBe(false);
    expect((await place.run('verify')).status).toBe(0);
  });

  test('takes nothing when the file is cut off', async () => {
    const place = await createCommandPlace();
    place.write('d.json', `[${JSON.stringify(DISCHARGE)},\n`);
    const result = await place.run('import', 'discharges', 'd.json', '--strict');
    expect(result).toMatchObject({
      status: 1,
      stderr: 'guildbook: line 2: the file ends before the array does; nothing was imported\n',
    });
    expect(place.count('discharge')).toBe(0);
    expect(place.count('audit_entry')).toBe(1);
  });

  test('takes nothing when it is stopped', async () => {
    const place = await createCommandPlace();
    const { child, ended } = place.start('import', 'transactions', '-', '--strict');
    child.stdin.write(history(8 * BATCH));
    // All but what a pipe holds has been read by then, so at least two batches are on their way.
    child.stdin.once('drain', () => child.kill('SIGINT'));
    const result = await ended;
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('nothing was imported');
    expect(place.count('ledger_transaction')).toBe(0);
  });
});

describe('stopping with Ctrl-C', () => {
  test('leaves what was committed, ends with 1, and running it again completes it', async () => {
    const place = await createCommandPlace();
    place.write('h.ndjson', history(2 * BATCH));
    // A hole of one tebibyte follows the records, so the import is still reading however late the signal comes.
    truncateSync(path.join(place.cwd, 'h.ndjson'), HOLE_BYTES);
    const { child, ended } = place.start('import', 'transactions', 'h.ndjson');
    await untilTrue(() => place.count('ledger_transaction') > 0);
    child.kill('SIGINT');
    const result = await ended;
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toContain(
      'guildbook: stopped; what was imported stays, and running it again completes it\n',
    );
    const stored = place.count('ledger_transaction');
    expect([BATCH, 2 * BATCH]).toContain(stored);
    expect((await place.run('verify')).status).toBe(0);

    place.write('h.ndjson', history(3 * BATCH));
    const completed = await place.run('import', 'transactions', 'h.ndjson');
    expect(completed.status).toBe(0);
    const number = (value: number) => value.toLocaleString('en-US');
    expect(completed.stderr).toContain(
      `${number(3 * BATCH - stored)} created, 0 updated, ${number(stored)} unchanged`,
    );
    expect(place.count('ledger_transaction')).toBe(3 * BATCH);
  });

  test('works while standard input keeps it waiting', async () => {
    const place = await createCommandPlace();
    const { child, ended } = place.start('import', 'transactions', '-');
    child.stdin.write(history(2.5 * BATCH));
    // Two batches are whole. The third one is not, and waits for the rest of it.
    await untilTrue(() => place.count('ledger_transaction') === 2 * BATCH);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 1, stderr: expect.stringContaining('guildbook: stopped;') });
    expect(place.count('ledger_transaction')).toBe(2 * BATCH);
    expect(place.has('import.rejected')).toBe(false);
  });
});

test('a catalogue is replaced as a whole or not at all', async () => {
  const place = await createCommandPlace();
  place.write('c.ndjson', toNdjson(COMMANDS));
  expect((await place.run('import', 'commands', 'c.ndjson')).status).toBe(0);
  place.write('many.ndjson', toNdjson(Array.from({ length: 2_001 }, () => COMMANDS[0])));
  expect(await place.run('import', 'commands', 'many.ndjson')).toMatchObject({
    status: 1,
    stderr: 'guildbook: there may be at most 2000 commands\n',
  });
  expect(place.count('command')).toBe(COMMANDS.length);
});
