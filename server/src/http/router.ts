import findMyWay from 'find-my-way';
import { http } from '../node-http.ts';
import type { ErrorShape } from './errors.ts';
import { isProperlyEncoded } from './query-string.ts';
import type { HttpRequest } from './request.ts';

/** Longer than any valid parameter, so that the route itself refuses invalid ones, with its own error. */
const PARAM_LENGTH_MAX = 16_384;

export interface RouteOptions {
  errorShape: ErrorShape;
  /** The route matches any address, so `findOtherMethods` ignores it. */
  isCatchAll?: boolean | undefined;
}

/** How the requests of a route are answered, and the headers that all its answers have. */
export interface RouteTarget {
  fixedHeaders: readonly string[];
  run(request: HttpRequest): void;
}

/** A route that was found, with the parameters of the address. */
export interface FoundRoute {
  target: RouteTarget;
  params: Readonly<Record<string, string | undefined>>;
  queryText: string;
}

/** A path that has routes, but not for the method that was used. */
export interface OtherMethods {
  methods: readonly string[];
  errorShape: ErrorShape;
}

/** Finds the route of a request by its method and address. */
export interface Router {
  /** Adds a route for one method; a GET answers HEAD as well. The path has parameters as `:name`. */
  add(method: string, path: string, target: RouteTarget, options: RouteOptions): void;
  /** Adds a route for the addresses below a path that have no other route. */
  addFallback(path: string, target: RouteTarget): void;
  find(method: string, url: string): FoundRoute | undefined;
  /** For an address that has no route for a method: the methods that it does have. */
  findOtherMethods(method: string, url: string): OtherMethods | undefined;
}

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
  errorShape: ErrorShape;
}

export function createRouter(): Router {
  // The query string is read by the route's own schema, see input.ts.
  const router = findMyWay({ maxParamLength: PARAM_LENGTH_MAX, querystringParser: (text) => text });
  const paths = new Map<string, KnownPath>();

  return {
    add(method, path, target, { errorShape, isCatchAll }) {
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
      router.on(methods as findMyWay.HTTPMethod[], path, NEVER_CALLED, target);
      if (isCatchAll === true) {
        return;
      }
      const known = paths.get(path) ?? { pattern: patternOf(path), methods: new Set(), errorShape };
      for (const one of methods) {
        known.methods.add(one);
      }
      paths.set(path, known);
    },

    addFallback(path, target) {
      router.on(http.METHODS as findMyWay.HTTPMethod[], path, NEVER_CALLED, target);
    },

    find(method, url) {
      // The library's types know fewer methods than Node, and its query strings are what the parser above returns.
      const found = router.find(method as findMyWay.HTTPMethod, routableUrl(url));
      return found === null
        ? undefined
        : {
            target: found.store as RouteTarget,
            params: found.params,
            queryText: found.searchParams as unknown as string,
          };
    },

    findOtherMethods(method, url) {
      const pathname = pathOf(url);
      // `/discharges/import` has a POST of its own, and its other methods are those of `/discharges/{dischargeId}`.
      const fitting = [...paths.values()].filter(({ pattern }) => pattern.test(pathname));
      const [first] = fitting;
      const methods = new Set(fitting.flatMap((path) => [...path.methods]));
      return first === undefined || methods.has(method)
        ? undefined
        : { methods: [...methods].sort(), errorShape: first.errorShape };
    },
  };
}

/** The library requires a function for each route. Only its look-up is used. */
const NEVER_CALLED = () => {};

function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replace('*', '.*');
  return new RegExp(`^${source}$`);
}

/** Addresses that do not decode still reach their route, so that it answers in its own shape and order. */
function routableUrl(url: string): string {
  return isProperlyEncoded(url) ? url : url.replaceAll('%', '%25');
}

/** The path of a request's target, which may be an absolute URL. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? url);
  return path.split('?', 1)[0] ?? '';
}
