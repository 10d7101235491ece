import { expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/domain/webhooks/event-types.ts';
import { WEBHOOK_EVENTS } from '../../src/wire/webhooks.ts';

test('the interface names the events that the domain knows, in the same order', () => {
  expect(WEBHOOK_EVENTS).toEqual(EVENT_NAMES);
});
