import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../server/src/domain/errors.ts';
import { setupArguments } from '../src/access/guild-texts.ts';
import { readCommand } from '../src/api/about.ts';
import { initialsOf, pickFor } from '../src/components/initials.ts';
import { momentInWords } from '../src/components/time.ts';
import { exampleRequest } from '../src/keys/example-request.ts';
import { knownReason } from '../src/keys/key-usage.ts';
import { countText } from '../src/ledger/ledger-count.ts';
import { adviceFor } from '../src/requests/refusal-advice.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a moment in words', () => {
  test.each([
    [0, 'just now'],
    [-29_000, 'just now'],
    [20_000, 'in a moment'],
    [-minuteMs, '1 minute ago'],
    [-59 * minuteMs, '59 minutes ago'],
    [-hourMs, '1 hour ago'],
    [-23 * hourMs, '23 hours ago'],
    [dayMs - 40_000, 'tomorrow'],
    [30 * dayMs - 40_000, 'in 30 days'],
    [90 * dayMs - 40_000, 'in 90 days'],
    [180 * dayMs, 'in 6 months'],
    [-365 * dayMs, '12 months ago'],
    [-3 * 365.25 * dayMs, '3 years ago'],
  ])('%d ms from now is “%s”', (distanceMs, words) => {
    expect(momentInWords(1_800_000_000_000 + distanceMs, 1_800_000_000_000)).toBe(words);
  });
});

test.each([
  [0, '0 transactions'],
  [1, '1 transaction'],
  [1_204, '1,204 transactions'],
])('%d transactions are “%s”', (count, text) => {
  expect(countText({ sums: undefined, total: count, isNarrowed: false })).toBe(text);
});

/** Only people who are signed in, the bot, the chat platform and the operator get these. */
const notForKeys: ReadonlySet<string> = new Set([
  'bot_unauthorized',
  'invalid_signature',
  'session_required',
  'cross_site',
  'csrf_mismatch',
  'not_guild_manager',
  'role_required',
  'role_not_found',
  'invitation_not_found',
  'board_name_taken',
  'board_name_fixed',
  'verifications_fixed',
  'sign_in_expired',
  'sign_in_denied',
  'platform_refused',
  'platform_unavailable',
  'commands_changed',
  'guild_not_found',
  'key_not_found',
  'key_limit',
]);

test('every reason for which a key’s request is refused has words', () => {
  const codes = ERROR_CODES.filter((code) => !notForKeys.has(code));
  expect(codes.filter((code) => knownReason(code) === undefined)).toEqual([]);
});

/** The service answers these before it knows the key, so that no key's log has them. */
const beforeTheKey: ReadonlySet<string> = new Set([
  'headers_too_large',
  'method_not_allowed',
  'path_not_found',
  'range_not_satisfiable',
]);

test('the log of a key says how to mend every refusal', () => {
  const codes = ERROR_CODES.filter((code) => !notForKeys.has(code) && !beforeTheKey.has(code));
  expect(codes.filter((code) => adviceFor({ code }) === undefined)).toEqual([]);
});

describe('initials', () => {
  test.each([
    ['Saltfen Trading Company', 'SC'],
    ['solo', 'S'],
    ['🛡️ Shield Wall', 'SW'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['   ', '?'],
    ['ßtra', 'SS'],
    ['', '?'],
    ['\u200F\u202E', '?'],
    ['مجتمع الفرسان', 'ما'],
    ['שלום', 'ש'],
    ['山田 太郎', '山太'],
    ['e\u0301lan vital', 'E\u0301V'],
    ['🇩🇪 🇫🇷', '🇩🇪🇫🇷'],
    ['«Rowan» (the) Old', 'RO'],
    ['rowan_vale', 'R'],
    ['\uD83D', '?'],
  ])('%j gives %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  test('one id always has the same colour', () => {
    expect(pickFor('814203957731622912', 4)).toBe(pickFor('814203957731622912', 4));
    expect(pickFor('', 4)).toBe(0);
  });
});

describe('lines for a shell', () => {
  test('a guild’s name reaches the command as one word, whatever it holds', () => {
    const name = `Osric's "$HOME" \`id\` ; rm 🛡️`;
    const line = setupArguments({ guildId: '8142', name });
    const shown = execFileSync('sh', ['-c', `printf "%s\\n" ${line}`]).toString();
    expect(shown.split('\n')).toEqual(['guild', 'set', '8142', '--name', name, '--plan', 'developer', '']);
  });

  test.each([
    [{ success: true, data: { command: 'npx guildbook' } }, 'npx guildbook'],
    [{ success: true, data: {} }, 'guildbook'],
    ['a page of a proxy', 'guildbook'],
    [null, 'guildbook'],
  ])('begin with the command that the service names, or with the usual one: %j', (answer, command) => {
    expect(readCommand(answer)).toBe(command);
  });

  test.each([
    [['guild:read', 'guild:write'], '/guild/ledger/1/transactions'],
    [['users:read'], '/users/1'],
    [['guild:write'], '/guild/key'],
  ])('with %j the example uses %s', (scopes, part) => {
    const line = exampleRequest('https://guildbook.test', { value: 'gbk_1', scopes });
    expect(line).toContain(part);
    expect(line).toContain("-H 'x-api-key: gbk_1'");
  });
});
