import { reportOnFailure } from './failure-report.ts';

const CALLS_MAX = 50;
const LINES_MAX = 100;
const TEXT_MAX = 2_048;
/** Their values would let the reader of a test's output in. */
const SECRET_HEADERS = ['x-api-key', 'authorization', 'cookie', 'set-cookie', 'x-csrf-token'];
const SECRET_LINES = new RegExp(`^(${SECRET_HEADERS.join('|')}):.*$`, 'gim');
const MASK = '(masked)';

export interface SentRequest {
  method: string;
  url: string;
  headers: object;
  payload: unknown;
}

export interface ReceivedAnswer {
  status: number;
  headers: object;
  text: string;
}

export interface RequestReport {
  /** Notes a request. The function that it returns notes the answer; without it the report says that none came. */
  noteRequest(sent: SentRequest): (received: ReceivedAnswer) => void;
  /** For a service that has stopped. The report of the current test still has what it did. */
  end(): void;
}

interface Call {
  sent: SentRequest;
  received: ReceivedAnswer | undefined;
}

/** For each service that ran in the test before: forgets what it did there. */
const forgetting = new Set<() => void>();

/** Called before each test. */
export function forgetRequests(): void {
  for (const forget of forgetting) {
    forget();
  }
}

/** Prints the requests to a service, its answers and what it logged, all of them since the test began, if the test fails. */
export function reportRequests(logLines: readonly string[]): RequestReport {
  let calls: Call[] = [];
  let firstLine = 0;
  let hasEnded = false;
  function forget(): void {
    calls = [];
    firstLine = logLines.length;
    if (hasEnded) {
      forgetting.delete(forget);
    }
  }
  forgetting.add(forget);
  reportOnFailure('requests to the service, and what it logged', () => {
    const lines = logLines.slice(Math.max(firstLine, logLines.length - LINES_MAX));
    return [...calls.map(describeCall), '> log', lines.join('').trimEnd()].join('\n');
  });
  return {
    noteRequest(sent) {
      const call: Call = { sent, received: undefined };
      calls.push(call);
      if (calls.length > CALLS_MAX) {
        calls.shift();
      }
      return (received) => {
        call.received = received;
      };
    },
    end() {
      hasEnded = true;
    },
  };
}

/** The same for bytes that were sent as they are. */
export function reportBytes(port: number, sent: string | Buffer, received: () => string): void {
  const hide = (text: string) => cut(text.replaceAll(SECRET_LINES, `$1: ${MASK}`));
  reportOnFailure(`bytes to port ${port}`, () => `${hide(String(sent))}\n< answer\n${hide(received())}`);
}

function describeCall({ sent, received }: Call): string {
  const request = `> ${sent.method} ${sent.url} ${describeHeaders(sent.headers)}\n${textOf(sent.payload)}`;
  const answer =
    received === undefined
      ? '< no answer'
      : `< ${received.status} ${describeHeaders(received.headers)}\n${cut(received.text)}`;
  return `${request.trimEnd()}\n${answer}`;
}

function describeHeaders(headers: object): string {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.includes(name.toLowerCase()) ? MASK : value,
  ]);
  return cut(JSON.stringify(Object.fromEntries(shown)));
}

function textOf(payload: unknown): string {
  if (payload === undefined || payload === null) {
    return '';
  }
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  return cut(isText ? String(payload) : JSON.stringify(payload));
}

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}(...)` : text;
}
