/**
 * Node's own HTTP, taken in this way because `import` reads every export of a built-in module, and reading some of those of
 * `node:http` loads another HTTP client and web streams: megabytes that only a sign-in needs.
 */
export const http = process.getBuiltinModule('node:http');

/** The same for HTTPS. It loads TLS, so it is called only where HTTPS is needed. */
export function loadHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
