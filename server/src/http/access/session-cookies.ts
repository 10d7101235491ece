import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { HttpRequest } from '../request.ts';

const SIGN_IN_SECONDS = 600;
const SESSION_SECONDS = 12 * 3_600;

/** The two cookies of the dashboard. Both are `HttpOnly` and `SameSite=Lax`: other sites can send them only by a plain link. */
export interface SessionCookies {
  readSession(request: HttpRequest): string | undefined;
  /** Each `set` returns a header: its name and its value. */
  setSession(token: string): string[];
  clearSession(): string[];
  /** The secret that ties a sign-in to the browser that began it. On its own it grants no access. */
  readBrowser(request: HttpRequest): string | undefined;
  setBrowser(secret: string): string[];
}

/**
 * Behind https the names begin with `__Host-`: browsers then refuse such a cookie from a sibling domain or over plain
 * http. They would refuse it on plain loopback as well, so there the names are bare.
 */
export function createSessionCookies(isSecure: boolean): SessionCookies {
  const prefix = isSecure ? '__Host-' : '';
  const sessionName = `${prefix}guildbook_session`;
  const browserName = `${prefix}guildbook_sign_in`;
  const read = ({ raw }: HttpRequest, name: string) => parseCookie(raw.headers.cookie ?? '')[name];
  const set = (cookie: SetCookie) => [
    'set-cookie',
    stringifySetCookie({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, ...cookie }),
  ];
  return {
    readSession: (request) => read(request, sessionName),
    setSession: (token) => set({ name: sessionName, value: token, maxAge: SESSION_SECONDS }),
    clearSession: () => set({ name: sessionName, value: '', maxAge: 0, expires: new Date(0) }),
    readBrowser: (request) => read(request, browserName),
    setBrowser: (secret) => set({ name: browserName, value: secret, maxAge: SIGN_IN_SECONDS }),
  };
}
