import type { AddressInfo } from 'node:net';

/** Our origin as a browser on this machine names it: the configured host with the port that was really taken. */
export function originOf(
  listening: AddressInfo | string | null,
  { host, port }: { host: string; port: number },
): string {
  const taken = typeof listening === 'object' && listening !== null ? listening.port : port;
  // The URL parser omits the default port, as browsers do.
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`).origin;
}
