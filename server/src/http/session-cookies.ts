import type { FastifyReply, FastifyRequest } from 'fastify';

const SIGN_IN_SECONDS = 600;
const SESSION_SECONDS = 12 * 3_600;

/** The two cookies of the dashboard. Scripts see neither, and other sites' requests carry neither but by a plain link. */
export interface SessionCookies {
  readSession(request: FastifyRequest): string | undefined;
  writeSession(reply: FastifyReply, token: string): void;
  clearSession(reply: FastifyReply): void;
  /** What ties a sign-in to the browser that began it. On its own it opens nothing. */
  readBrowser(request: FastifyRequest): string | undefined;
  writeBrowser(reply: FastifyReply, secret: string): void;
}

/**
 * Behind https the names begin with `__Host-`: browsers then refuse such a cookie from a sibling domain or over plain
 * http. They would refuse it on plain loopback as well, so there the names are bare.
 */
export function createSessionCookies(isSecure: boolean): SessionCookies {
  const prefix = isSecure ? '__Host-' : '';
  const sessionName = `${prefix}guildbook_session`;
  const browserName = `${prefix}guildbook_sign_in`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    readSession: (request) => request.cookies[sessionName],
    writeSession(reply, token) {
      reply.setCookie(sessionName, token, { ...options, maxAge: SESSION_SECONDS });
    },
    clearSession(reply) {
      reply.clearCookie(sessionName, options);
    },
    readBrowser: (request) => request.cookies[browserName],
    writeBrowser(reply, secret) {
      reply.setCookie(browserName, secret, { ...options, maxAge: SIGN_IN_SECONDS });
    },
  };
}
