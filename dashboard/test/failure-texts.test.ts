import { afterEach, expect, test, vi } from 'vitest';
import { CODE_TEXTS } from '../../server/src/webhooks/sender.ts';
import { i18n } from '../src/texts/i18n.ts';
import { failureText } from '../src/webhooks/failure-texts.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Every text that comes from a catalogue is in brackets. */
function bracketTranslations(): void {
  const textOf = i18n._.bind(i18n);
  vi.spyOn(i18n, '_').mockImplementation((descriptor) => `[${textOf(descriptor)}]`);
}

test.each([
  ['answered 404', '[answered 404]'],
  ['answered 500: <html>\nanswered 200: no', '[answered 500]: <html>\nanswered 200: no'],
  ['answered 301: redirects are not followed', '[answered 301: redirects are not followed]'],
  ['answered 302: redirects are not followed: Found', '[answered 302: redirects are not followed]: Found'],
  ['no answer in time', '[no answer in time]'],
  ['bot.example has no address', '[bot.example has no address]'],
  [
    'bot.example is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS',
    '[bot.example is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS]',
  ],
  [
    'it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone',
    '[it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone]',
  ],
  ['bot.example: the request failed (EPROTO)', 'bot.example: [the request failed (EPROTO)]'],
  ['a text of another version', 'a text of another version'],
  ['bot.example: a text of another version', 'bot.example: a text of another version'],
])('the failure “%s” is shown as “%s”', (error, shown) => {
  bracketTranslations();
  expect(failureText(error)).toBe(shown);
});

test.each(Object.values(CODE_TEXTS))('the failure “%s” is translated', (sentence) => {
  bracketTranslations();
  expect(failureText(`bot.example: ${sentence}`)).toBe(`bot.example: [${sentence}]`);
});
