import { describe, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '../../server/src/wire/webhooks.ts';
import { expandEvents } from '../src/access/event-labels.ts';
import type { Webhook } from '../src/api/webhooks.ts';
import { readBody } from '../src/webhooks/attempt-body.ts';
import { eventGroups, eventsInWords, namesOf } from '../src/webhooks/event-texts.ts';
import {
  lineFault,
  toChange,
  toOrder,
  totalFault,
  urlFault,
  webhookValues,
} from '../src/webhooks/webhook-form.ts';
import { stateOf, titleOf } from '../src/webhooks/webhook-state.ts';

const webhookOf = (facts: Partial<Webhook> = {}): Webhook => ({
  id: 'w1',
  url: 'https://example.org/hook',
  kind: 'standard',
  events: ['transaction.posted'],
  filter: {},
  status: 'active',
  unreadable: null,
  createdAt: '2026-11-15T10:00:00.000Z',
  disabledReason: null,
  keyId: null,
  failingSince: null,
  ...facts,
});

describe('events', () => {
  test('every event of the interface has a text, and no other has', () => {
    const offered = eventGroups().flatMap(({ events }) => events.map(({ event }) => event));
    expect(offered.toSorted()).toEqual(WEBHOOK_EVENTS.filter((name) => !name.endsWith('.*')).toSorted());
  });

  test('a group stands for its events, and stays one while all are chosen', () => {
    const saved = ['key.*', 'balance.below'];
    const chosen = expandEvents(saved);
    expect(chosen).toEqual(['balance.below', 'key.created', 'key.deleted', 'key.expiring', 'key.refused']);
    expect(namesOf(chosen, saved)).toEqual(['key.*', 'balance.below']);
    expect(namesOf(['key.created', 'key.deleted'], saved)).toEqual(['key.created', 'key.deleted']);
  });

  test('one line tells the first ones and how many more', () => {
    expect(eventsInWords(['payment.posted', 'key.*'])).toBe('Payments, Keys created and 3 more');
    expect(eventsInWords(['payment.posted'])).toBe('Payments');
  });
});

describe('the form', () => {
  test('sends exactly what was entered', () => {
    const values = {
      ...webhookValues(),
      url: ' https://example.org/a ',
      events: ['balance.below', 'summary.weekly'],
      minTotal: '12.5',
      balanceBelow: '-50',
      source: ' shop ',
    };
    expect(toOrder(values)).toEqual({
      kind: 'standard',
      url: 'https://example.org/a',
      events: ['balance.below'],
      filter: { minTotal: 12.5, balanceBelow: -50, source: 'shop' },
    });
    expect(toOrder({ ...values, kind: 'discord' }).events).toEqual(['balance.below', 'summary.weekly']);
    // A line without its event is refused by the service, so it goes with the event.
    expect(toOrder({ ...values, events: ['payment.posted'] }).filter).not.toHaveProperty('balanceBelow');
  });

  test('sends a name that was entered, and clears one that was emptied', () => {
    const named = webhookOf({ name: 'Shop bot' });
    expect(toChange(webhookValues(named), named).name).toBe('Shop bot');
    expect(toChange({ ...webhookValues(named), name: ' ' }, named).name).toBeNull();
    expect(toOrder({ ...webhookValues(), name: ' Shop bot ' }).name).toBe('Shop bot');
    expect([titleOf(named), titleOf(webhookOf())]).toEqual(['Shop bot', 'example.org']);
  });

  test('never sends back an address whose token is masked', () => {
    const channel = webhookOf({ kind: 'discord', url: 'https://discord.com/api/webhooks/1/***' });
    expect(toChange(webhookValues(channel), channel)).not.toHaveProperty('url');
    const moved = { ...webhookValues(channel), url: 'https://discord.com/api/webhooks/2/token' };
    expect(toChange(moved, channel).url).toBe('https://discord.com/api/webhooks/2/token');
  });

  test('says what is wrong', () => {
    expect(urlFault('', { isOptional: false })).toBe('Give the address');
    expect(urlFault('', { isOptional: true })).toBeNull();
    expect(urlFault('example.org', { isOptional: false })).toMatch(/whole address/);
    expect([totalFault('12,5'), totalFault('-1'), lineFault('1e3')]).not.toContain(null);
    expect([totalFault(''), totalFault('12.5'), lineFault('-50')]).toEqual([null, null, null]);
  });
});

test.each([
  ['active', {}],
  ['failing', { failingSince: '2026-11-15T10:00:00.000Z' }],
  ['unreadable', { unreadable: 'secret' }],
  ['unreadable', { unreadable: 'url', failingSince: '2026-11-15T10:00:00.000Z' }],
  ['disabled', { status: 'disabled', unreadable: 'secret' }],
  ['disabled', { status: 'disabled' }],
  ['stopped', { status: 'disabled', disabledReason: 'Every delivery failed for five days.' }],
] as const)('a webhook is %s', (state, facts) => {
  expect(stateOf(webhookOf(facts))).toBe(state);
});

test('a body is shown with a line for each field, and as it is when it was cut or is no JSON', () => {
  expect(readBody('{"a":1}')).toEqual({ code: '{\n  "a": 1\n}', language: 'json' });
  expect(readBody('{"a":1…')).toEqual({ code: '{"a":1…', language: 'text' });
});
