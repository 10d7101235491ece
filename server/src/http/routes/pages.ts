import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Pages run only our own scripts and talk only to us. Styles are set inline by the component library. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const YEAR_SECONDS = 31_536_000;

export interface PageOptions {
  root: string;
  /** Whether people come by https, and should never come otherwise again. */
  isSecure: boolean;
}

/** The web pages: the dashboard and the interactive reference, as built into `root`. */
export async function addPageRoutes(app: FastifyInstance, { root, isSecure }: PageOptions): Promise<void> {
  app.get('/', (_request, reply) => reply.redirect('/dashboard/'));
  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/'));
  if (!existsSync(root)) {
    app.log.warn({ root }, 'the pages are not built: run "npm run build" to have /dashboard/ and /docs');
    return;
  }
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
  const headers = {
    ...PAGE_HEADERS,
    ...(isSecure && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
    'cache-control': 'no-cache',
  };
  const sendPage = (reply: FastifyReply, file: string) => reply.headers(headers).sendFile(file);
  app.get('/dashboard/', (_request, reply) => sendPage(reply, 'index.html'));
  // A page's own address: the script in it knows what to show.
  app.get('/dashboard/*', { config: { except: '/dashboard/api/' } }, (_request, reply) =>
    sendPage(reply, 'index.html'),
  );
  app.get('/docs', (_request, reply) => sendPage(reply, 'docs.html'));
  app.get('/docs/', (_request, reply) => reply.redirect('/docs'));
  app.get<{ Params: { '*': string } }>('/dashboard/assets/*', (request, reply) => {
    // The names of these files carry a hash of their content, so they never change.
    reply.header('x-content-type-options', 'nosniff');
    return reply.sendFile(`assets/${request.params['*']}`, {
      cacheControl: true,
      maxAge: YEAR_SECONDS * 1_000,
      immutable: true,
    });
  });
}
