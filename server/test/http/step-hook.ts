import type { AddEndpoint } from '../../src/http/pipeline.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { addRoutes } from '../../src/http/routes.ts';
import type { AddRoutes } from '../../src/http/server.ts';

/** The places between the steps of a request at which a hook is called. */
export const HOOKED_STEPS = [
  'before identify',
  'after identify',
  'before admit',
  'after admit',
  'before handler',
  'after handler',
] as const;
export type HookedStep = (typeof HOOKED_STEPS)[number];

/** Holds a request between two of its steps until the returned promise is fulfilled. */
export type StepHook = (step: HookedStep, request: HttpRequest) => Promise<void>;

/** The routes of the service, with a hook between the steps of every request. */
export function hookedRoutes(hook: StepHook): AddRoutes {
  return (add, parts) => addRoutes(hookInto(add, hook), parts);
}

function hookInto(add: AddEndpoint, hook: StepHook): AddEndpoint {
  return (route, access, handler) => {
    const hooked: typeof access = {
      ...access,
      async identify(request) {
        await hook('before identify', request);
        const who = await access.identify(request);
        await hook('after identify', request);
        return who;
      },
      async admit(call) {
        await hook('before admit', call.request);
        await access.admit?.(call);
        await hook('after admit', call.request);
      },
    };
    add(route, hooked, async (call) => {
      await hook('before handler', call.request);
      const answer = await handler(call);
      await hook('after handler', call.request);
      return answer;
    });
  };
}
