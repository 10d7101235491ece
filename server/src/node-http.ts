/**
 * Node's own HTTP, taken in this way because `import` reads every export of a built-in module, and reading some of those of
 * `node:http` loads another HTTP client and web streams: megabytes that only a sign-in needs.
 */
export const http = process.getBuiltinModule('node:http');

/** The same for HTTPS, which loads TLS: only whoever needs it does. */
export function loadHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
