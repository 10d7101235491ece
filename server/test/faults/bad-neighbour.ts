import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoadClient, type LoadClient } from './load-client.ts';

// A process of its own: what it does must cost the service time, and not the test that measures.

export interface BadNeighbour {
  address: string;
  guildId: string;
  key: string;
  /** The session of the guild's manager. */
  managerCookie: string;
  /** Somebody who is signed in and has no guild. */
  stranger: { cookie: string; csrfToken: string };
  webhookIds: readonly string[];
}

/** How many answers of each status there were, for each kind of harm. */
export type Tally = Record<string, Record<string, number>>;
export type Command = 'start' | 'stop';

const NICENESS = 19;
const POST = { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop' };
const HALF_HEAD_ADDRESSES = 20;
const HALF_HEADS_PER_ADDRESS = 50;
const HALF_HEAD = 'GET /livez HTTP/1.1\r\nhost: x';
/** The largest preferences that are valid: 20 views of 500 characters. */
const VIEWS = Array.from({ length: 20 }, (_, index) => ({
  guildId: 'none',
  name: `view ${index}`,
  search: 'x'.repeat(500),
}));

interface Harm {
  /** How many do it at once. */
  atOnce: number;
  /** How long each of them waits after an answer. */
  pauseMs: number;
  /** Does it once and returns the status of the answer. */
  act: (client: LoadClient, number: number) => Promise<number>;
}

/** Limited routes get a multiple of their limits. The pauses keep all of it together within one processor. */
function harmsOf(neighbour: BadNeighbour): Record<string, Harm> {
  const { guildId, key, managerCookie, stranger, webhookIds } = neighbour;
  const ofKey = { headers: { 'x-api-key': key } };
  const ofManager = { headers: { cookie: managerCookie } };
  const ofStranger = {
    cookie: stranger.cookie,
    'x-csrf-token': stranger.csrfToken,
    origin: neighbour.address,
  };
  const guildPath = `/dashboard/api/guilds/${guildId}`;
  const statusOf = async (client: LoadClient, ...ask: Parameters<LoadClient['ask']>) =>
    (await client.ask(...ask)).status;
  return {
    posts: {
      atOnce: 4,
      pauseMs: 40,
      act: (client) => statusOf(client, '/guild/ledger', { method: 'POST', json: POST, ...ofKey }),
    },
    lists: {
      atOnce: 4,
      pauseMs: 40,
      act: (client) => statusOf(client, '/guild/ledger/48213977/transactions', ofKey),
    },
    'look-ups': {
      atOnce: 8,
      pauseMs: 10,
      act: (client, number) => statusOf(client, `/users/${number}`, ofKey),
    },
    sessions: {
      atOnce: 24,
      pauseMs: 40,
      act: (client) => statusOf(client, '/dashboard/api/session', { headers: ofStranger }),
    },
    preferences: {
      atOnce: 4,
      pauseMs: 40,
      act: (client) =>
        statusOf(client, '/dashboard/api/preferences', {
          method: 'PUT',
          headers: ofStranger,
          json: { views: VIEWS },
        }),
    },
    'silent names': {
      atOnce: 8,
      pauseMs: 100,
      act: (client, number) =>
        statusOf(client, '/guild/webhooks', {
          method: 'POST',
          ...ofKey,
          json: { url: `http://new-${number}.bad.test/`, kind: 'standard', events: ['transaction.posted'] },
        }),
    },
    'webhook tests': {
      atOnce: 8,
      pauseMs: 100,
      act: (client, number) =>
        statusOf(client, `/guild/webhooks/${webhookIds[number % webhookIds.length]}/test`, {
          method: 'POST',
          ...ofKey,
        }),
    },
    'abandoned exports': {
      atOnce: 8,
      pauseMs: 50,
      act: (client) => client.abandon(`${guildPath}/transactions.csv`, ofManager),
    },
    'abandoned streams': {
      atOnce: 8,
      pauseMs: 50,
      act: (client) => client.abandon(`${guildPath}/events`, ofManager),
    },
  };
}

/** Does everything at once until it is stopped. */
function startHarm(neighbour: BadNeighbour): { stop(): Promise<Tally> } {
  const stopping = new AbortController();
  const client = createLoadClient(neighbour.address);
  const tally: Tally = {};
  function count(kind: string, outcome: number | string): void {
    tally[kind] ??= {};
    tally[kind][outcome] = (tally[kind][outcome] ?? 0) + 1;
  }

  async function repeat(kind: string, { atOnce, pauseMs, act }: Harm, worker: number): Promise<void> {
    for (let number = worker; !stopping.signal.aborted; number += atOnce) {
      const outcome = await act(client, number).catch(() => 'cut off');
      count(kind, outcome);
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const runs = Object.entries(harmsOf(neighbour)).flatMap(([kind, harm]) =>
    Array.from({ length: harm.atOnce }, (_, worker) => repeat(kind, harm, worker)),
  );
  const halfHeads = holdHalfHeads(neighbour.address, (outcome) => count('half heads', outcome));
  return {
    async stop() {
      stopping.abort();
      halfHeads.stop();
      client.close();
      await Promise.all(runs);
      return tally;
    },
  };
}

/** Connections that begin a request and never end it. One that the service has ended stays open here and is followed by another. */
function holdHalfHeads(address: string, onHeld: (outcome: 'opened' | 'ended') => void): { stop(): void } {
  const { port } = new URL(address);
  const held = new Set<Socket>();
  let isStopped = false;
  function hold(localAddress: string): void {
    // The client's side stays open when the service has ended its own.
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress, allowHalfOpen: true });
    held.add(socket);
    socket.once('connect', () => onHeld('opened'));
    // Without an error there is nothing to learn from one that was cut off.
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.write(HALF_HEAD);
    socket.once('close', () => held.delete(socket));
    socket.once('end', () => {
      onHeld('ended');
      if (!isStopped) {
        hold(localAddress);
      }
    });
  }
  for (let number = 0; number < HALF_HEAD_ADDRESSES * HALF_HEADS_PER_ADDRESS; number += 1) {
    hold(`127.0.9.${1 + (number % HALF_HEAD_ADDRESSES)}`);
  }
  return {
    stop() {
      isStopped = true;
      for (const socket of held) {
        socket.destroy();
      }
    },
  };
}

// An attacker has a machine of their own: what it costs to send all of this must not slow the service down.
setPriority(NICENESS);
const neighbour: BadNeighbour = JSON.parse(process.argv[2] ?? '');
let harm: ReturnType<typeof startHarm> | undefined;
process.on('message', async (command: Command) => {
  if (command === 'start') {
    harm = startHarm(neighbour);
    process.send?.({});
  } else {
    process.send?.((await harm?.stop()) ?? {});
  }
});
