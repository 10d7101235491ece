import { DomainError } from '../domain/errors.ts';
import { startBodyDeadline } from './body-deadline.ts';
import { answerRefusal } from './errors.ts';
import { type HttpRequest, requireClearHead } from './request.ts';
import type { Router, RouteTarget } from './router.ts';
import { createSend, type SendParts } from './send.ts';

/**
 * Answers requests without a route before their body is read. A wrong method on a known path gets the path's methods in
 * `allow`, and an error in that path's shape; any other path is not found.
 */
export function createUnknownRoute(router: Router, parts: SendParts): RouteTarget {
  const send = createSend({ path: 'unknown', nameOf: () => undefined, onStreamError: () => {} }, parts);

  function refusalOf(request: HttpRequest, isKnownPath: boolean): unknown {
    try {
      requireClearHead(request);
      return new DomainError(isKnownPath ? 'method_not_allowed' : 'path_not_found');
    } catch (error) {
      return error;
    }
  }

  return {
    fixedHeaders: [],
    run(request) {
      const { id, raw, response, answerHeaders } = request;
      startBodyDeadline(raw, response);
      const other = router.findOtherMethods(raw.method ?? '', raw.url ?? '');
      if (other !== undefined) {
        answerHeaders.push('allow', other.methods.join(', '));
      }
      const about = { log: parts.logger, requestId: id };
      const error = refusalOf(request, other !== undefined);
      send(request, answerRefusal(error, other?.errorShape ?? 'enveloped', about));
    },
  };
}
