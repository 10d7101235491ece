/**
 * Node's HTTP module. Not loaded with `import`, which reads every export of a built-in module: some exports of `node:http`
 * load another HTTP client and web streams, megabytes that only a sign-in needs.
 */
export const http = process.getBuiltinModule('node:http');

/** The same for HTTPS. It loads TLS, so it is called only where HTTPS is needed. */
export function loadHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
