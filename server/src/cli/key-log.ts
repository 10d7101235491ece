import type { Command } from 'commander';
import { ALL_KEPT, ANY_REQUEST, REFUSED_KEPT } from '../domain/access/key-requests.ts';
import { countsByDay } from '../domain/access/key-usage.ts';
import { dayText } from '../domain/calendar.ts';
import { parseCount, parseId } from './arguments.ts';
import { isoTime, printJson, printTable } from './output.ts';
import { withToolbox } from './toolbox.ts';

const USAGE_DAYS_SHOWN = 30;
const REQUESTS_SHOWN = 20;
const REQUESTS_MAX = REFUSED_KEPT + ALL_KEPT;

/** The commands that show how a key was used. */
export function addKeyLogCommands(key: Command): void {
  key
    .command('usage')
    .description('how often a key was answered and refused on each of the last 30 days')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .requiredOption('--guild <guildId>', 'the guild', parseId)
    .option('--json', 'print JSON')
    .action(showUsage);

  key
    .command('requests')
    .description('the last refused requests of a key, and why each was refused')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .option('--all', 'other requests too, where the key keeps all of them')
    .option('--limit <count>', 'at most this number, 1 to 2200', parseCount(REQUESTS_MAX), REQUESTS_SHOWN)
    .option('--json', 'print a JSON array')
    .action(showRequests);
}

async function showUsage(
  keyId: string,
  { guild, json }: { guild: string; json?: boolean },
  command: Command,
): Promise<void> {
  const { counts } = await withToolbox(command, 'expect', ({ keys }) =>
    keys.usage(guild, keyId, USAGE_DAYS_SHOWN),
  );
  const rows = countsByDay(counts).map(({ day, code, count }) => ({ day: dayText(day), code, count }));
  if (json === true) {
    printJson(rows);
  } else if (rows.length === 0) {
    console.log('This key was not used in the last 30 days.');
  } else {
    printTable(
      ['DAY', 'ANSWER', 'REQUESTS'],
      rows.map(({ day, code, count }) => [day, code, String(count)]),
    );
  }
}

interface RequestOptions {
  all?: boolean;
  limit: number;
  json?: boolean;
}

async function showRequests(keyId: string, options: RequestOptions, command: Command): Promise<void> {
  const { all, limit, json } = options;
  const requests = await withToolbox(command, 'expect', ({ keys }) =>
    keys.requests(undefined, { ...ANY_REQUEST, keyId, isRefused: all === true ? undefined : true, limit }),
  );
  if (json === true) {
    printJson(requests.map(({ atMs, ...request }) => ({ at: isoTime(atMs), ...request })));
  } else if (requests.length === 0) {
    console.log(all === true ? 'No requests of this key are kept.' : 'No request of this key was refused.');
  } else {
    printTable(
      ['TIME', 'STATUS', 'CODE', 'REQUEST', 'FROM', 'ID', 'MESSAGE'],
      requests.map(({ atMs, status, code, method, path, address, requestId, message }) => [
        isoTime(atMs),
        String(status),
        code ?? 'ok',
        `${method} ${path}`,
        address,
        requestId,
        message ?? '',
      ]),
    );
  }
}
