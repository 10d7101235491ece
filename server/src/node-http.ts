/**
 * Node's own HTTP, taken in this way because `import` reads every export of a built-in module, and some of `node:http` load a
 * whole HTTP client and web streams when they are read: eight megabytes that nothing here uses.
 */
export const http = process.getBuiltinModule('node:http');

/** The same for HTTPS, which loads TLS: only whoever needs it does. */
export function loadHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
