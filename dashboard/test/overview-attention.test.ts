import { describe, expect, test } from 'vitest';
import type { Guild } from '../src/api/guilds.ts';
import type { ApiKey } from '../src/api/keys.ts';
import type { Overview } from '../src/api/overview.ts';
import type { Webhook } from '../src/api/webhooks.ts';
import {
  keyAttention,
  refusalAttention,
  unusualAttention,
  webhookAttention,
} from '../src/overview/attention.ts';
import { firstSteps } from '../src/overview/first-steps.ts';

const nowMs = Date.parse('2026-11-18T12:00:00Z');
// Only the parts that these functions read.
const guild = {
  guildId: '7',
  state: 'ready',
  timeZone: 'UTC',
  may: ['keys.read', 'keys.issue', 'settings.change'],
  display: { currencyName: null, currencySymbol: null, decimalsShown: null },
} as unknown as Guild;
const aKey = (name: string, state: ApiKey['state'], expiresAt: string, lastUsedAt: string | null = null) =>
  ({ name, state, expiresAt, lastUsedAt }) as ApiKey;
const aWebhook = (id: string, changes: Partial<Webhook>) =>
  ({
    id,
    url: `https://${id}.example/hook`,
    status: 'active',
    disabledReason: null,
    failingSince: null,
    unreadable: null,
    ...changes,
  }) as Webhook;

describe('what needs attention', () => {
  test('keys that end soon are named with the time that is left, and long expired ones are not', () => {
    const keys = [
      aKey('shop', 'expiring', '2026-11-21T12:00:00Z'),
      aKey('bank', 'expiring', '2026-11-19T12:00:00Z'),
      aKey('game', 'active', '2027-11-19T12:00:00Z'),
      aKey('old', 'expired', '2026-01-01T12:00:00Z'),
      aKey('late', 'expired', '2026-11-17T12:00:00Z'),
    ];
    expect(keyAttention(guild, keys, nowMs)).toMatchObject([
      { title: 'A key has expired', detail: 'late (yesterday)', tone: 'danger', to: '/guilds/7/keys' },
      { title: '2 keys expire soon', detail: 'bank (tomorrow) and shop (in 3 days)', tone: 'warning' },
    ]);
    expect(keyAttention(guild, [], nowMs)).toEqual([]);
    expect(keyAttention(guild, [aKey('متجر', 'expiring', '2026-11-19T12:00:00Z')], nowMs)).toMatchObject([
      { detail: '\u2068متجر\u2069 (tomorrow)' },
    ]);
  });

  test('refusals that jumped are named with their reason, and lead to the requests of the key', () => {
    const keys = [{ id: 'k/1', name: 'Shop bot' } as ApiKey];
    const jump = { keyId: 'k/1', refused: 1_200, usual: 2.6, code: 'deposit_conflict' };
    expect(refusalAttention(guild, [jump], keys)).toEqual([
      {
        id: 'refusals k/1',
        tone: 'warning',
        title: 'Requests of Shop bot are refused',
        detail: '1,200 in 24 hours, usually 3 a day. Most: Marked as a deposit, with a negative amount.',
        action: 'Show why',
        to: '/guilds/7/requests?key=k%2F1',
      },
    ]);
    expect(refusalAttention(guild, [{ ...jump, usual: 0.4 }], [])).toMatchObject([
      {
        title: 'Requests of a key are refused',
        detail: expect.stringContaining('usually less than 1 a day'),
      },
    ]);
    expect(refusalAttention(guild, [{ ...jump, usual: 0 }], keys)).toMatchObject([
      { detail: expect.stringContaining('none in the week before') },
    ]);
  });

  test('one webhook that stopped leads to its own page, and several to their list', () => {
    const stopped = { status: 'disabled', disabledReason: 'failures' } as Partial<Webhook>;
    expect(webhookAttention(guild, [aWebhook('a', stopped), aWebhook('b', {})])).toMatchObject([
      { title: 'A webhook gets nothing any more', detail: 'a.example', to: '/guilds/7/webhooks/a' },
    ]);
    const failing = { failingSince: '2026-11-18T11:00:00Z' };
    const many = ['a', 'b', 'c', 'd'].map((id) => aWebhook(id, failing));
    expect(webhookAttention(guild, many)).toMatchObject([
      {
        title: '4 webhooks are failing',
        detail: 'a.example, b.example, c.example and 1 more',
        to: '/guilds/7/webhooks',
      },
    ]);
  });

  test('unusual sums say why, and lead to exactly their rows', () => {
    const overview = {
      timeZone: 'UTC',
      range: { since: '2026-11-01', until: '2026-11-18' },
      unusual: [
        { kind: 'money-out', day: '2026-11-05', source: null, amount: '45', usual: '10' },
        { kind: 'money-in', day: '2026-11-06', source: null, amount: '43210987.4321', usual: '0.3' },
        { kind: 'new-source', day: null, source: 'casino', amount: '3', usual: null },
      ],
    } as unknown as Overview;
    expect(unusualAttention(guild, overview)).toMatchObject([
      {
        title: 'Unusually high withdrawals on 5 Nov 2026',
        detail: '45, 4.5 times the usual 10 a day, the median of the 28 days before.',
        to: '/guilds/7/ledger?since=2026-11-05&until=2026-11-05&maxAmount=0',
      },
      {
        title: 'Unusually high deposits on 6 Nov 2026',
        detail: '43,210,987, over 1000 times the usual 0.3 a day, the median of the 28 days before.',
      },
      { title: 'New source: casino', to: '/guilds/7/ledger?since=2026-11-01&until=2026-11-18&from=casino' },
    ]);
  });
});

describe('the first steps of an empty guild', () => {
  const done = (steps: ReturnType<typeof firstSteps>) => steps.map(({ isDone }) => isDone);

  test('are ticked off one by one', () => {
    expect(done(firstSteps(guild, []))).toEqual([false, false, false, false]);
    const key = aKey('bot', 'active', '2027-01-01T00:00:00Z');
    const named = { ...guild, display: { ...guild.display, currencyName: 'gold' } };
    expect(done(firstSteps(named, [key]))).toEqual([true, true, false, false]);
    expect(done(firstSteps(guild, [{ ...key, lastUsedAt: '2026-11-18T11:00:00Z' }]))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('offer only what the person may do', () => {
    const links = (one: Guild) => firstSteps(one, undefined).map(({ link }) => link?.label);
    expect(links(guild)).toEqual([
      'Open the settings',
      'Create key',
      'Open the reference',
      'Open the ledger',
    ]);
    const viewer: Guild = { ...guild, may: [] };
    expect(links(viewer)).toEqual([undefined, undefined, 'Open the reference', 'Open the ledger']);
    const [, step] = firstSteps({ ...guild, state: 'no-plan' }, []);
    expect([step?.link, step?.explanation]).toEqual([
      undefined,
      'Keys need an active plan: ask the operator of this service for one.',
    ]);
  });
});
