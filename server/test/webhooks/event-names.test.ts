import { expect, test } from 'vitest';
import { EVENT_NAMES, EVENT_TYPES } from '../../src/domain/webhooks/event-types.ts';
import { typesOf, WEBHOOK_EVENT_SCHEMAS } from '../../src/wire/webhook-events.ts';
import { WEBHOOK_EVENTS } from '../../src/wire/webhooks.ts';

test('the interface names the events that the domain knows, in the same order', () => {
  expect(WEBHOOK_EVENTS).toEqual(EVENT_NAMES);
});

test('every event that is delivered as JSON has a schema', () => {
  const described = Object.values(WEBHOOK_EVENT_SCHEMAS).flatMap(typesOf);
  const delivered = EVENT_TYPES.filter((type) => type !== 'summary.weekly');
  expect(described).toEqual([...delivered, 'webhook.test']);
});
