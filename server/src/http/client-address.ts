import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Finds the client of a request behind trusted proxies. */
export interface ClientAddresses {
  /** The address of the client. */
  addressOf(request: IncomingMessage): string;
  /** The host that the client asked for, with its port if it named one. */
  hostOf(request: IncomingMessage): string;
}

/** Without trusted proxies no forwarding header is believed. */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  if (trustedProxies.length === 0) {
    return {
      addressOf: ({ socket }) => socket.remoteAddress ?? '',
      hostOf: ({ headers }) => headers.host ?? '',
    };
  }
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return {
    addressOf: (request) => proxyAddr(request, isTrusted),
    hostOf({ headers, socket }) {
      const forwarded = headers['x-forwarded-host'];
      return typeof forwarded === 'string' && isTrusted(socket.remoteAddress ?? '', 0)
        ? // The last value was added by the nearest proxy.
          forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
        : (headers.host ?? '');
    },
  };
}
