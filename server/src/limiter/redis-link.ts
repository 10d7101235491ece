import { type CommandParser, createClient, defineScript } from '@redis/client';
import { within } from './within.ts';

/** Time limit of one attempt to connect, and the pause between two. Requests wait for neither. */
const CONNECT_MS = 1_000;
const PAUSE_MS = 250;
const PROBE_KEY = 'guildbook:probe';

export interface LinkOptions {
  url: string;
  script: string;
  /** Time limit of an answer. A later answer counts as none. */
  waitMs: number;
  /** Called once per change: Redis is reachable from now on, or unreachable for the given reason. */
  onChange: (change: LinkChange) => void;
}

export type LinkChange = { isReached: true } | { isReached: false; reason: string };

export interface ScriptCall {
  key: string;
  args: readonly number[];
}

/** One connection to Redis, which reconnects. */
export interface RedisLink {
  readonly isReached: boolean;
  /** Runs the script. After any failure Redis counts as unreachable until it answers again. */
  run(call: ScriptCall): Promise<number[]>;
  close(): void;
}

/**
 * Connects, and reconnects whenever the connection is lost. A connection counts only when the script itself answered
 * in time: a server that is loading, read-only or too slow is unreachable too. Resolves after the first attempt,
 * whether or not it succeeded.
 */
export async function openRedisLink(options: LinkOptions): Promise<RedisLink> {
  const { waitMs, onChange } = options;
  let client: ScriptClient | undefined;
  let isOutKnown = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function report(change: LinkChange): void {
    // Further failed attempts are not reported while Redis is known to be unreachable.
    if (!isClosed && (change.isReached || !isOutKnown)) {
      isOutKnown = !change.isReached;
      onChange(change);
    }
  }

  function lose(lost: ScriptClient, error: unknown): void {
    lost.destroy();
    if (lost === client && !isClosed) {
      client = undefined;
      report({ isReached: false, reason: reasonOf(error) });
      seekLater();
    }
  }

  function seekLater(): void {
    timer = setTimeout(seek, PAUSE_MS).unref();
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    client?.destroy();
    client = undefined;
  }

  async function seek(): Promise<void> {
    try {
      client = await connect(options, lose);
      report({ isReached: true });
    } catch (error) {
      report({ isReached: false, reason: reasonOf(error) });
      seekLater();
    }
    if (isClosed) {
      close();
    }
  }

  await seek();
  return {
    get isReached() {
      return client !== undefined;
    },
    async run(call) {
      const used = client;
      if (used === undefined) {
        throw new Error('Redis is out of reach');
      }
      try {
        return await within(waitMs, used.run(call));
      } catch (error) {
        lose(used, error);
        throw error;
      }
    },
    close,
  };
}

async function connect(
  { url, script, waitMs }: LinkOptions,
  onLost: (lost: ScriptClient, error: unknown) => void,
): Promise<ScriptClient> {
  const client = createScriptClient(url, script);
  client.on('error', (error) => onLost(client, error));
  try {
    await within(CONNECT_MS, client.connect());
    await within(waitMs, client.run({ key: PROBE_KEY, args: [1, 0, CONNECT_MS] }));
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

type ScriptClient = ReturnType<typeof createScriptClient>;

/** A connection that ends with its first failure: `openRedisLink` alone decides when to connect again. */
function createScriptClient(url: string, script: string) {
  const run = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser: CommandParser, { key, args }: ScriptCall) {
      parser.pushKey(key);
      parser.push(...args.map(String));
    },
    // The script returns integers, and Redis sends them as integers.
    transformReply: (reply: unknown) => reply as number[],
  });
  return createClient({
    url,
    // RESP2 is sufficient, and servers before Redis 6 support it too.
    RESP: 2,
    scripts: { run },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
