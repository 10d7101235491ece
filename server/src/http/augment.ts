import type { Principal } from '../domain/model.ts';
import type { ErrorShape } from './error-reply.ts';
import type { SignedIn } from './session-guard.ts';

/** What our hooks add to Fastify's own objects. */
declare module 'fastify' {
  interface FastifyContextConfig {
    errorShape?: ErrorShape;
    /** The path as documented, the name under which metrics and logs know the route. */
    route?: string;
    /** A route for whatever has no other: addresses that begin like this are unknown all the same. */
    except?: string;
  }
  interface FastifyRequest {
    /** Set by the guard of a protected route, before any handler runs. */
    principal: Principal | undefined;
    /** Set by the guard of a dashboard route, before any handler runs. */
    signedIn: SignedIn | undefined;
    /** Set where the route itself cannot tell, as for a wrong method. */
    errorShape: ErrorShape | undefined;
  }
}
