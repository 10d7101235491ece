import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReturnPath, signInAddress, signInStart } from '../src/sign-in/return-path.ts';
import { readSignInMessage } from '../src/sign-in/sign-in-message.ts';

const search = (returnTo: string) => `?${new URLSearchParams({ returnTo })}`;

describe('the way back after signing in', () => {
  test('a page of the dashboard is kept, with its query and fragment', () => {
    const path = '/dashboard/commands?category=Economy&q=coin#deposit';
    expect(readReturnPath(search(path))).toBe(path);
  });

  test.each([
    'https://example.com/dashboard/',
    '//example.com/dashboard/',
    '/dashboard//../../evil',
    '/dashboard/../docs',
    '/dashboard/%2e%2e/docs',
    '\\\\example.com',
    'javascript:alert(1)',
    '/dashboard',
    '/dashboard/sign-in',
    '/dashboard/sign-in?error=denied',
    '/dashboard/api/sign-out',
    '',
  ])('%j leads to the start page', (wanted) => {
    expect(readReturnPath(search(wanted))).toBe('/dashboard/');
  });

  test('whatever is asked for, the browser stays on this origin and in the dashboard', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `/dashboard/${text}`),
        ),
        (wanted) => {
          const url = new URL(readReturnPath(search(wanted)), 'https://guildbook.test');
          expect(url.origin).toBe('https://guildbook.test');
          expect(url.pathname.startsWith('/dashboard/')).toBe(true);
        },
      ),
    );
  });

  test('a deep link goes through the sign-in page and comes out the same', () => {
    const address = signInAddress({ pathname: '/guilds/1/keys', search: '?a=b&c', hash: '#d' });
    const path = readReturnPath(address.slice(address.indexOf('?')));
    expect(path).toBe('/dashboard/guilds/1/keys?a=b&c#d');
    expect(new URLSearchParams(signInStart(path).split('?')[1]).get('returnTo')).toBe(path);
  });
});

describe('the message on the sign-in page', () => {
  test.each(['denied', 'expired', 'failed', 'unavailable', 'busy'])(
    'the code %s has a text of its own',
    (code) => {
      expect(readSignInMessage(`?error=${code}`, null)?.title).toBeTruthy();
    },
  );

  test.each(['other', '', 'constructor', '__proto__'])('the unknown code %j counts as a failure', (code) => {
    expect(readSignInMessage(`?error=${code}`, null)?.title).toBe('The sign-in did not work');
  });

  test('there is none for someone who simply arrives', () => {
    expect(readSignInMessage('', null)).toBeUndefined();
    expect(readSignInMessage('', { hasEnded: false })).toBeUndefined();
  });
});
