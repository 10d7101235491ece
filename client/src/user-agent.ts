/** The version of this package; a test compares it with the manifest. */
const VERSION = '0.2.0';

/** Browsers send their own name, and would first ask the service whether they may send another. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

/** The header that names this library and its version, which the service keeps in the log of a key's refused requests. */
export const userAgentHeader: Readonly<Record<string, string>> = isBrowser
  ? {}
  : { 'user-agent': `guildbook-client/${VERSION}` };
