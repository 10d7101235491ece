import { type CommandParser, createClient, defineScript } from '@redis/client';
import { within } from './within.ts';

/** How long one attempt to reach Redis may take, and the pause between two. Requests wait for neither. */
const CONNECT_MS = 1_000;
const PAUSE_MS = 250;
const PROBE_KEY = 'guildbook:probe';

export interface LinkOptions {
  url: string;
  script: string;
  /** How long an answer may take. One that takes longer counts as none. */
  waitMs: number;
  /** Called once for each change: Redis is within reach from now on, or out of reach for the stated reason. */
  onChange: (change: LinkChange) => void;
}

export type LinkChange = { isReached: true } | { isReached: false; reason: string };

export interface ScriptCall {
  key: string;
  args: readonly number[];
}

/** One connection to Redis that comes and goes. */
export interface RedisLink {
  readonly isReached: boolean;
  /** Runs the script. A failure of any kind makes Redis count as out of reach until it answers again. */
  run(call: ScriptCall): Promise<number[]>;
  close(): void;
}

/**
 * Connects, and comes back by itself whenever the connection is lost. An attempt counts only when the script itself
 * answered in time: a server that is still loading, that may only be read, or that is too slow is out of reach as well.
 * Resolves after the first attempt, whichever way it went.
 */
export async function openRedisLink(options: LinkOptions): Promise<RedisLink> {
  const { waitMs, onChange } = options;
  let client: ScriptClient | undefined;
  let isOutKnown = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function report(change: LinkChange): void {
    // Failed attempts while it is known to be out of reach are no news.
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

/** A connection that ends with its first failure: when to make another one is decided above, in one place. */
function createScriptClient(url: string, script: string) {
  const run = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser: CommandParser, { key, args }: ScriptCall) {
      parser.pushKey(key);
      parser.push(...args.map(String));
    },
    // The script returns whole numbers, which Redis sends as such.
    transformReply: (reply: unknown) => reply as number[],
  });
  return createClient({
    url,
    // The older protocol has all that is needed, and servers before Redis 6 speak it too.
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
