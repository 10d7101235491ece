import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import type { ErrorShape } from './error-reply.ts';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
  errorShape: ErrorShape | undefined;
}

/**
 * Decides what a request without a route is: a wrong method on a path we know, answered in that route's shape
 * with the methods it has, or a path nobody knows.
 */
export function createUnknownRouteCheck(app: FastifyInstance) {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.except !== undefined) {
      return;
    }
    let path = paths.get(url);
    if (path === undefined) {
      const source = url.replaceAll(/[.]/g, '\\.').replaceAll(/:\w+/g, '[^/]+').replace('*', '.*');
      path = { pattern: new RegExp(`^${source}$`), methods: new Set(), errorShape: config?.errorShape };
      paths.set(url, path);
    }
    for (const one of [method].flat()) {
      path.methods.add(one);
    }
  });

  return (request: FastifyRequest, reply: FastifyReply): DomainError => {
    const pathname = pathOf(request.url);
    for (const path of paths.values()) {
      if (path.pattern.test(pathname) && !path.methods.has(request.method)) {
        request.errorShape = path.errorShape;
        reply.header('allow', [...path.methods].sort().join(', '));
        return new DomainError('method_not_allowed');
      }
    }
    return new DomainError('path_not_found');
  };
}

/** A proxy may send the whole address; the path of it is what routes know. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? url);
  return path.split('?', 1)[0] ?? '';
}
