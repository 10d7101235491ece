import type { AgentOptions, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { isIP } from 'node:net';
import type { Networks } from '../domain/webhooks/networks.ts';
import { http, loadHttps } from '../node-http.ts';
import { createNames, type Lookup, type NamesParts } from './names.ts';

const IDLE_CONNECTION_MS = 10_000;
const SOCKETS_MAX = 100;

export interface ConnectionParts extends NamesParts {
  networks: Networks;
  /** Replaces the hosts file and DNS. */
  lookup?: Lookup | undefined;
}

export interface PinnedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: URL;
  /** The result of `resolve` for the same URL. */
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  signal: AbortSignal;
}

/** Connections to hosts outside. None leads into a private network that the operator did not allow. */
export interface Connections {
  /** An allowed address of the URL's host. Rejects with the reason when there is none, or when the signal aborts. */
  resolve(url: URL, guildNo: number, signal: AbortSignal): Promise<string>;
  /**
   * Connects to the address, with the host name in the header and for TLS, which checks the certificate against it. The name
   * is not resolved again, so the connection cannot go to another address. Redirects are not followed.
   */
  request(order: PinnedRequest): Promise<IncomingMessage>;
  close(): void;
}

export class RefusedAddress extends Error {}

export function createConnections(parts: ConnectionParts): Connections {
  const { networks } = parts;
  const names = createNames(parts);
  const lookup = parts.lookup ?? names.lookup;
  const agents = createAgents({ keepAlive: true, timeout: IDLE_CONNECTION_MS, maxSockets: SOCKETS_MAX });

  async function resolve({ hostname, protocol }: URL, guildNo: number): Promise<string> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? await lookup(host, guildNo) : [{ address: host }];
    const allowed = found.map(({ address }) => address).filter(networks.isAllowed);
    const [address] = allowed;
    if (address === undefined) {
      throw new RefusedAddress(
        found.length === 0
          ? `${host} has no address`
          : // Without the address that the name has: it would reveal the operator's internal network.
            `${host} is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS`,
      );
    }
    if (protocol === 'http:' && !networks.isListed(address)) {
      throw new RefusedAddress(
        'it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone',
      );
    }
    return address;
  }

  return {
    resolve: (url, guildNo, signal) => within(signal, resolve(url, guildNo)),
    request: (order) => request(order, agents),
    close() {
      names.close();
      agents.destroy();
    },
  };
}

/** Agents that keep connections open. The one for TLS is created on first use. */
function createAgents(options: AgentOptions) {
  const plain = new http.Agent(options);
  let secure: Agent | undefined;
  return {
    plain: () => plain,
    secure() {
      secure ??= new (loadHttps().Agent)(options);
      return secure;
    },
    destroy() {
      plain.destroy();
      secure?.destroy();
    },
  };
}

function request(
  { method, url, address, headers, body, signal }: PinnedRequest,
  agents: ReturnType<typeof createAgents>,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const options = {
      method,
      host: address,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      signal,
    };
    const sent = isSecure
      ? loadHttps().request({ ...options, agent: agents.secure() })
      : http.request({ ...options, agent: agents.plain() });
    sent.once('response', resolve);
    // Later errors, such as the time limit while an answer is discarded, have no effect.
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Rejects when the time is up, even if the work has not ended. */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
