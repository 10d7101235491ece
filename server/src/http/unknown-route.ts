import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import { startBodyDeadline } from './body-deadline.ts';
import { beginAnswer } from './connections.ts';
import { answerRefusal, type ErrorShape } from './errors.ts';
import { HEADERS_BY_ACCESS, type PipelineParts, requireHost } from './pipeline.ts';
import { createSend } from './send.ts';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
  errorShape: ErrorShape;
}

/**
 * Routes for whatever has no other, with the headers of their answers. The dashboard's pages take any address below
 * theirs, so its endpoints need one of their own.
 */
const WILDCARDS: Readonly<Record<string, readonly string[]>> = {
  '/*': [],
  '/dashboard/api/*': HEADERS_BY_ACCESS.session,
};

/**
 * Answers requests without a route of their own before their body is read: a wrong method on a path we know is told the
 * methods it has, in the shape of that path's errors; any other path is not found. To be called before routes are added.
 */
export function addUnknownRoutes(app: FastifyInstance, parts: PipelineParts): void {
  const findPath = collectPaths(app);
  const send = createSend({ path: 'unknown', nameOf: () => undefined, onStreamError: () => {} }, parts);

  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    startBodyDeadline(request.raw, reply.raw);
    const headers = ['x-request-id', request.id, ...(WILDCARDS[request.routeOptions.url ?? ''] ?? [])];
    request.state = { startMs: performance.now(), headers, who: undefined, refuseBody: refuse };
    beginAnswer(request.raw);
    const path = findPath(request);
    let error = new DomainError(path === undefined ? 'path_not_found' : 'method_not_allowed');
    if (path !== undefined) {
      headers.push('allow', [...path.methods].sort().join(', '));
    }
    try {
      requireHost(request);
    } catch (thrown) {
      error = thrown as DomainError;
    }
    const about = { log: parts.logger, requestId: request.id };
    send(request, reply, answerRefusal(error, path?.errorShape ?? 'enveloped', about));
  }

  for (const url of Object.keys(WILDCARDS)) {
    app.route({
      method: [...app.supportedMethods],
      url,
      exposeHeadRoute: false,
      onRequest: refuse,
      handler: refuse,
    });
  }
  app.setNotFoundHandler(refuse);
}

function collectPaths(app: FastifyInstance): (request: FastifyRequest) => KnownPath | undefined {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url in WILDCARDS || config?.isCatchAll === true) {
      return;
    }
    let path = paths.get(url);
    if (path === undefined) {
      const source = url.replaceAll(/[.]/g, '\\.').replaceAll(/:\w+/g, '[^/]+').replace('*', '.*');
      const errorShape = config?.errorShape ?? 'enveloped';
      path = { pattern: new RegExp(`^${source}$`), methods: new Set(), errorShape };
      paths.set(url, path);
    }
    for (const one of [method].flat()) {
      path.methods.add(one);
    }
  });

  return (request) => {
    const pathname = pathOf(request.originalUrl);
    for (const path of paths.values()) {
      if (path.pattern.test(pathname) && !path.methods.has(request.method)) {
        return path;
      }
    }
    return undefined;
  };
}

/** A proxy may send the whole address; the path of it is what routes know. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? url);
  return path.split('?', 1)[0] ?? '';
}
