import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../src/api/audit.ts';
import { groupByDay } from '../src/audit/audit-days.ts';
import { askedFilters, auditFilters, readTrail } from '../src/audit/audit-filters.ts';
import { auditSentence, changedFields, subjectPath } from '../src/audit/audit-words.ts';
import { fieldLabel } from '../src/audit/field-label.ts';
import { readFilters } from '../src/components/search-filters.ts';
import { chooseCalendar } from '../src/components/time-zone.ts';

const entryOf = (facts: Partial<AuditEntry>): AuditEntry => ({
  entryNo: 1,
  createdAt: '2026-11-15T10:00:00.000Z',
  actor: { kind: 'user', id: '4711', name: 'Robin' },
  action: 'update',
  subject: { kind: 'discharge', id: 'D-12', person: null },
  before: {},
  after: {},
  ...facts,
});

const tell = (entry: AuditEntry) => {
  const { parts, changes } = auditSentence(entry);
  return parts.map(({ text }) => text).join('') + (changes && `: ${changes}`);
};

describe('sentences', () => {
  test.each<[string, Partial<AuditEntry>]>([
    [
      'Robin changed the discharge D-12: reason and signed by',
      { before: { reason: 'a', signed: '' }, after: { reason: 'b', signed: 'c' } },
    ],
    [
      'Robin changed the discharge D-12 of Rowan: reason',
      {
        subject: { kind: 'discharge', id: 'D-12', person: 'Rowan' },
        before: { reason: 'a\n' },
        after: { reason: 'b' },
      },
    ],
    [
      'Robin changed the transfer T-1 of Rowan: name Wren → Rowan',
      {
        subject: { kind: 'transfer', id: 'T-1', person: 'Alder' },
        before: { name: 'Wren' },
        after: { name: 'Rowan' },
      },
    ],
    ['Robin added the discharge D-12 of Rowan', { action: 'create', after: { name: 'Rowan' } }],
    ['Robin deleted the discharge D-12 of Rowan', { action: 'delete', before: { name: 'Rowan' } }],
    [
      'Chat account 4711 created the key Payout bot',
      {
        actor: { kind: 'user', id: '4711', name: null },
        action: 'create',
        subject: { kind: 'key', id: 'key_1', person: null },
        after: { name: 'Payout bot' },
      },
    ],
    [
      'The operator changed the guild: plan empty → Developer plan',
      {
        actor: { kind: 'operator', id: 'cli', name: null },
        subject: { kind: 'guild', id: '1', person: null },
        after: { plan: 'developer' },
      },
    ],
    [
      'The key Shop posted the transaction Iron Ingot',
      {
        actor: { kind: 'key', id: 'k', name: 'Shop' },
        action: 'create',
        subject: { kind: 'transaction', id: '019a', person: null },
        after: { name: 'Iron Ingot' },
      },
    ],
    [
      'Robin posted the transaction Correction: −2.5 for player 7',
      {
        action: 'create',
        subject: { kind: 'transaction', id: '019a', person: null },
        after: { name: 'Correction', total: '-2.5', playerId: '7' },
      },
    ],
    [
      'Robin posted the transaction Correction: +4 for mistseeker',
      {
        action: 'create',
        subject: { kind: 'transaction', id: '019a', person: 'mistseeker' },
        after: { name: 'Correction', total: '4', playerId: '7' },
      },
    ],
    [
      'Robin changed the account of mistseeker: lowest balance empty → -5',
      { subject: { kind: 'account', id: '7', person: 'mistseeker' }, after: { floor: '-5' } },
    ],
    [
      'Robin changed the verification of Rowan: user name Wren → Rowan',
      {
        subject: { kind: 'verification', id: '4711', person: null },
        before: { username: 'Wren' },
        after: { username: 'Rowan' },
      },
    ],
    [
      'Robin gave a role to Quartermaster',
      {
        action: 'create',
        subject: { kind: 'role', id: 'chat role 12', person: null },
        after: { name: 'Quartermaster' },
      },
    ],
    [
      'Robin added the webhook example.org',
      {
        action: 'create',
        subject: { kind: 'webhook', id: 'w', person: null },
        after: { url: 'https://example.org/a' },
      },
    ],
    [
      'Robin changed the webhook w: status Active → Disabled',
      {
        subject: { kind: 'webhook', id: 'w', person: null },
        before: { status: 'active' },
        after: { status: 'disabled' },
      },
    ],
    [
      'The service switched off the webhook w: Every delivery failed for five days.',
      {
        actor: { kind: 'operator', id: 'webhooks', name: 'The service' },
        subject: { kind: 'webhook', id: 'w', person: null },
        before: { status: 'active' },
        after: { status: 'disabled', disabledReason: 'Every delivery failed for five days.' },
      },
    ],
    [
      'Robin made an invitation link',
      {
        action: 'create',
        subject: { kind: 'role', id: 'invitation 019a', person: null },
        after: { role: 'viewer', usesLeft: 1 },
      },
    ],
    [
      'Robin accepted an invitation as viewer',
      {
        action: 'create',
        subject: { kind: 'role', id: 'person 4711', person: null },
        after: { role: 'viewer', invitation: '019a' },
      },
    ],
    ['Robin changed the discharge D-12: a, b, c and 2 more', { after: { a: 1, b: 1, c: 1, d: 1, e: 1 } }],
  ])('%s', (sentence, facts) => {
    expect(tell(entryOf(facts))).toBe(sentence);
  });
});

describe('fields', () => {
  test('each shows what was and what is, an absent one as absent', () => {
    const entry = entryOf({ before: { reason: 'a', type: null }, after: { reason: '', scopes: ['x', 'y'] } });
    expect(changedFields(entry)).toEqual([
      { name: 'reason', label: 'reason', before: 'a', after: '' },
      { name: 'type', label: 'type', before: 'none', after: undefined },
      { name: 'scopes', label: 'scopes', before: undefined, after: 'x and y' },
    ]);
  });

  test('roles, languages and scopes have the words of the other pages', () => {
    const before = { role: 'viewer', language: 'ja', scopes: ['guild:read', 'guild:write', 'other'] };
    const entry = entryOf({ before, after: { role: 'treasurer', language: 'xx', scopes: [] } });
    expect(changedFields(entry)).toEqual([
      { name: 'role', label: 'role', before: 'Viewer', after: 'Treasurer' },
      { name: 'language', label: 'language of messages', before: '日本語', after: 'xx' },
      { name: 'scopes', label: 'scopes', before: 'Read the guild, Post to the ledger and other', after: '' },
    ]);
  });

  test.each([
    [
      'events',
      ['key.*', 'payment.posted'],
      'Payments, Keys created, Keys deleted, Keys about to expire and Keys refused often',
    ],
    ['events', ['key.created', 'other'], 'Keys created and other'],
    ['kind', 'discord', 'A chat channel'],
    ['overdraftAllowed', true, 'yes'],
    ['sealPublic', false, 'no'],
    ['plan', 'developer', 'Developer plan'],
    ['plan', 'none', 'No plan'],
    ['chatCommandsOff', 'pay, post', '/pay and /post'],
    ['chatCommandsOff', '', ''],
    ['amountMaxUnits', 12_500_000, '1,250'],
    ['decimalsShown', 2, '2'],
    ['filter', {}, 'No filter'],
    [
      'filter',
      { source: 'shop', minTotal: 1250, playerId: '7', balanceBelow: -0.5 },
      'Money from the source shop, Money from 1,250 on, in or out, What is about the player 7 and Balances that fall below −0.5',
    ],
    ['filter', { source: 'shop', colour: 'red' }, '{\n  "source": "shop",\n  "colour": "red"\n}'],
    [
      'routeLimits',
      'postTransaction=10/minute getAccount=2/second',
      'POST /guild/ledger: 10 per minute and GET /guild/accounts/{playerId}: 2 per second',
    ],
    ['routeLimits', 'formerRoute=10/minute', 'formerRoute=10/minute'],
    ['disabledReason', 'Every delivery failed for five days.', 'Every delivery failed for five days.'],
    [
      'disabledReason',
      "The chat platform answered 404: the channel's webhook is gone or may not be used.",
      'The chat platform answered 404: the channel’s webhook is gone or may not be used.',
    ],
  ])('%s %j is shown as %s', (name, value, text) => {
    expect(changedFields(entryOf({ after: { [name]: value } }))[0]?.after).toBe(text);
  });

  test('names are told in words', () => {
    expect(fieldLabel('expiresAtMs')).toBe('expires at');
    expect(fieldLabel('playerId')).toBe('player id');
    expect(fieldLabel('chatPaidInDay')).toBe('most that a member pays in a day');
    expect(fieldLabel('constructor')).toBe('constructor');
  });
});

test('a link leads to what still exists, with every sign of its id', () => {
  const subject = { kind: 'discharge', id: 'a&b=c/#', person: null } as const;
  expect(subjectPath(entryOf({ subject }))).toBe('discharges?record=a%26b%3Dc%2F%23');
  expect(subjectPath(entryOf({ subject, action: 'delete' }))).toBeUndefined();
  expect(subjectPath(entryOf({ subject: { kind: 'webhook', id: 'w/1', person: null } }))).toBe(
    'webhooks/w%2F1',
  );
});

test('entries stand under their days', () => {
  const nowMs = Date.UTC(2026, 10, 15, 12);
  const at = (...parts: [number, number, number, number]) => new Date(Date.UTC(...parts)).toISOString();
  const entries = [
    entryOf({ entryNo: 4, createdAt: at(2026, 10, 15, 9) }),
    entryOf({ entryNo: 3, createdAt: at(2026, 10, 15, 0) }),
    entryOf({ entryNo: 2, createdAt: at(2026, 10, 14, 23) }),
    entryOf({ entryNo: 1, createdAt: at(2025, 10, 13, 9) }),
  ];
  const days = groupByDay(entries, nowMs).map(({ title, entries: inside }) => [title, inside.length]);
  expect(days).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    [expect.stringMatching(/^Thursday,? 13 November 2025$/), 1],
  ]);
});

describe('the address of the log', () => {
  const read = (search: string) => readFilters(auditFilters, new URLSearchParams(search));

  test('nonsense falls back to the whole log', () => {
    expect(read('actor=robin&kind=commands&action=burn&since=2026-02-30&before=-1')).toEqual(read(''));
  });

  test('days are asked for as moments of the guild’s calendar, and an id only together with its kind', () => {
    const nowMs = Date.parse('2026-02-10T12:00:00Z');
    const asked = (search: string) => askedFilters(read(search), nowMs);
    expect(asked('since=2026-02-02&until=2026-02-01')).toMatchObject({ since: '', until: '' });
    chooseCalendar('Asia/Tokyo');
    expect(asked('since=2026-02-01&until=2026-02-01')).toMatchObject({
      since: '2026-01-31T15:00:00.000Z',
      until: '2026-02-01T15:00:00.000Z',
    });
    chooseCalendar('UTC');
    expect(asked('subject=D-1').subject).toBe('');
    expect(asked('kind=discharge&subject=D-1').subject).toBe('D-1');
  });

  test('a way back is read only where there is one', () => {
    expect(readTrail({ trail: [0, 87, 'x', -1, 1.5] })).toEqual([0, 87]);
    expect(readTrail(null)).toEqual([]);
    expect(readTrail({ trail: 'x' })).toEqual([]);
  });
});
