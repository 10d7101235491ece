import type { Route } from '../endpoint.ts';

/** A route of pages and of the operator's tools: for anybody, and answered even while the event loop is overloaded. */
export const publicRoute = (path: string) =>
  ({
    method: 'GET',
    path,
    access: 'public',
    errorShape: 'enveloped',
    unknownParameters: 'ignored',
    isAlwaysServed: true,
  }) satisfies Route;
