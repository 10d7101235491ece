import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from './processes.ts';

/** The requests of a job, made before the measurement and sent in turn, so that making them costs the load generator nothing. */
export interface Load {
  /** The n-th request of the round. One with a body is a post. */
  request: (index: number) => LoadRequest;
  /** How many different ones there are. */
  count: number;
  /** The first request of each kind, where answers are of several kinds; otherwise the first one stands for all. */
  kinds?: number[];
  /** Every request is refused: that is what is measured. */
  isRefused?: boolean;
  /** Gives every request an idempotency key of its own. */
  hasIdempotencyKeys?: boolean;
  /** Replaces UNIQUE_TEXT in every request by a text of the same length that no other request has. */
  hasUniqueTexts?: boolean;
  /** At one time, when not as many as usual. */
  connections?: number;
  /** How long a connection waits before each request. */
  pauseMs?: number;
  /** Posted once for every transaction that an answer names in its header, in place of `{transactionId}`. */
  followUp?: { path: string; body: string };
}

export interface LoadRequest {
  path: string;
  key?: string | undefined;
  body?: string;
  /** Sent beside the key and the content type. */
  headers?: Record<string, string>;
}

/** All headers of a request, except those that every HTTP client adds by itself. */
export function headersOf({ key, body, headers }: LoadRequest): Record<string, string> {
  return {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
}

export interface LoadResult {
  requestsPerSecond: number;
  requests: number;
  failures: number;
  /** How many failed in which way. */
  failed: string;
  p99Ms: number;
}

export const CONNECTIONS = 128;
/** A place in a body where each request has to differ. */
export const UNIQUE_TEXT = 'uniqueTextOfThisRequest';

/** Writes the script that wrk reads: all requests as Lua strings. */
export function writeScript(folder: string, name: string, load: Load): string {
  const file = path.join(folder, `${name}.lua`);
  const lines = Array.from({ length: load.count }, (_unused, index) => luaRequest(load, index));
  writeFileSync(
    file,
    `local lines = {\n${lines.join(',\n')}\n}
local requests, named, next_one, posted = {}, {}, 0, 0
local started = os.time()
local run = tostring(started) .. tostring(math.random(1, 1000000000))
init = function()
  math.randomseed(os.time())
  for index, line in ipairs(lines) do
    requests[index] = wrk.format(line.method, line.path, line.headers, line.body)
  end
  next_one = math.random(1, #requests)
end
request = function()
  next_one = next_one % #requests + 1
  ${load.followUp === undefined ? '' : luaFollowUp(load.followUp)}
  ${luaReturn(load)}
end
${load.followUp === undefined ? '' : LUA_REMEMBER}
${load.pauseMs === undefined ? '' : `delay = function() return ${load.pauseMs} end`}
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(99),
    errors.status, errors.timeout, errors.connect + errors.read + errors.write))
end
`,
  );
  return file;
}

const LUA_WITH_KEY = `posted = posted + 1
  return (requests[next_one]:gsub('\\r\\n', '\\r\\nIdempotency-Key: ' .. run .. '-' .. posted .. '\\r\\n', 1))`;

const LUA_WITH_TEXT = `posted = posted + 1
  local text = string.format('%0${UNIQUE_TEXT.length - 10}d%010d', started, posted)
  return (requests[next_one]:gsub('${UNIQUE_TEXT}', text, 1))`;

function luaReturn({ hasIdempotencyKeys, hasUniqueTexts }: Load): string {
  if (hasIdempotencyKeys === true) {
    return LUA_WITH_KEY;
  }
  return hasUniqueTexts === true ? LUA_WITH_TEXT : 'return requests[next_one]';
}

const LUA_REMEMBER = `response = function(status, headers)
  named[#named + 1] = headers['transaction-id']
end`;

/** Each follow-up goes out with the key whose turn it is. */
function luaFollowUp({ path: target, body }: { path: string; body: string }): string {
  return `local id = table.remove(named)
  if id then
    return wrk.format('POST', (string.gsub('${target}', '{transactionId}', id)), lines[next_one].headers, [[${body}]])
  end`;
}

function luaRequest(load: Load, index: number): string {
  const request = load.request(index);
  const { path: target, body } = request;
  const headers = Object.entries(headersOf(request)).map(([name, value]) => `['${name}'] = '${value}'`);
  const rest = body === undefined ? '' : `, body = [[${body}]]`;
  const method = body === undefined ? 'GET' : 'POST';
  return `{ method = '${method}', path = '${target}', headers = { ${headers.join(', ')} }${rest} }`;
}

/** A host that takes its processors away for seconds makes answers late, which shows in the waits, and fails nothing. */
const TIMEOUT = '10s';

export async function runWrk(
  script: string,
  address: string,
  {
    seconds,
    connections = CONNECTIONS,
    onStart,
  }: {
    seconds: number;
    connections?: number | undefined;
    onStart?: ((child: ChildProcess) => void) | undefined;
  },
): Promise<LoadResult> {
  const flags = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`];
  const output = await runToEnd('wrk', [...flags, '--timeout', TIMEOUT, '--script', script, address], {
    onStart,
  });
  const found = /RESULT(?: \d+){6}/.exec(output)?.[0] ?? '';
  const [requests = 0, microseconds = 0, p99 = 0, refused = 0, late = 0, broken = 0] = found
    .split(' ')
    .slice(1)
    .map(Number);
  if (requests === 0) {
    throw new Error(`wrk gave no result:\n${output}`);
  }
  return {
    requests,
    requestsPerSecond: (requests / microseconds) * 1e6,
    failures: refused + late + broken,
    failed: `${refused} refused, ${late} without an answer in ${TIMEOUT}, ${broken} broken off`,
    p99Ms: p99 / 1_000,
  };
}
