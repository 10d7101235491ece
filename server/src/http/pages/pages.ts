import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Body, JSON_TYPE } from '../answer.ts';
import { startBodyDeadline } from '../body-deadline.ts';
import { beginAnswer, endAnswer } from '../connections.ts';
import { answerRefusal } from '../errors.ts';
import { requireHost } from '../pipeline.ts';
import { createRequestLog } from '../request-log.ts';
import type { SendParts } from '../send.ts';

/** Pages run only our own scripts and talk only to us. Styles are set inline by the component library. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const YEAR_SECONDS = 31_536_000;

export interface PageParts extends SendParts {
  /** The folder of the built pages. */
  root: string;
  /** Whether people come by https, and should never come otherwise again. */
  isSecure: boolean;
}

/** The web pages: the dashboard and the interactive reference, as built into `root`. */
export async function addPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { root, isSecure, logger } = parts;
  addHooks(app, parts);
  app.get('/', (_request, reply) => reply.redirect('/dashboard/'));
  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/'));
  if (!existsSync(root)) {
    logger.warn({ root }, 'the pages are not built: run "npm run build" to have /dashboard/ and /docs');
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
  // Every page has an address of its own: the script in it knows what to show.
  app.get('/dashboard/*', { config: { isCatchAll: true } }, (_request, reply) =>
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

/** Files are sent by a plugin of Fastify, so what the pipeline does for endpoints is done in hooks here. */
function addHooks(app: FastifyInstance, { metrics, logger, isStopping }: PageParts): void {
  const log = createRequestLog(logger);
  app.addHook('onRequest', async (request, reply) => {
    beginAnswer(request.raw);
    startBodyDeadline(request.raw, reply.raw);
    reply.header('x-request-id', request.id);
    requireHost(request);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping()) {
      reply.header('connection', 'close');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    endAnswer(request.raw);
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = routeOptions.url ?? 'unknown';
    metrics.recordRequest(route, method, status, ms);
    log?.({ reqId: request.id, route, method, status, ms, key: undefined });
  });
  app.setErrorHandler((error, request, reply) => {
    const { status = 500, body } = answerRefusal(error, 'enveloped', { log: logger, requestId: request.id });
    // A refusal is a body that is ready to be sent.
    const { content } = body as Body;
    return reply.code(status).type(JSON_TYPE).send(content);
  });
}
