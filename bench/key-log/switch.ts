import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { chooseOrder, GROUP_SIZE } from '../support/group.ts';

/**
 * Loaded into a service before its own code (`--import`). Replaces the recorder of requests by one that records every second slice of
 * requests only, and writes how long each slice took. Both kinds of slice run in one process, with the same compiled code.
 */
const KEY_LOG = '/server/src/domain/access/key-log.ts';
const REAL = '?real';
const WRAPPER = `
import { createKeyLog as create } from ${JSON.stringify(`.${KEY_LOG.slice(KEY_LOG.lastIndexOf('/'))}${REAL}`)};
export * from ${JSON.stringify(`.${KEY_LOG.slice(KEY_LOG.lastIndexOf('/'))}${REAL}`)};
export function createKeyLog(parts) {
  const log = create(parts);
  return { ...log, recorderOf: (route, describe) => globalThis.switchRecorder(log.recorderOf(route, describe)) };
}`;
/** The time of a slice, looked at after each group of requests. */
const SLICE_MS = 10;
const GROUP = 10;
/** Slices that end within this time are written together. */
const WRITE_EVERY_MS = 500;
/** Records every slice, which shows the error of the measurement: the ratio should be 1. */
const IS_CONTROL = process.env.KEY_LOG_CONTROL === '1';
const FILE = process.env.KEY_LOG_SLICES ?? '';

/** Of a slice: its group, whether requests were recorded, when it ended, the time it took and the processor time of all threads. */
export interface Slice {
  group: number;
  isOn: boolean;
  endedAtMs: number;
  requests: number;
  wallMs: number;
  cpuMs: number;
}

const lines: string[] = [];
let writtenAtMs = performance.now();
let slice = 0;
let requests = 0;
let order = chooseOrder();
let isOn = order[0] ?? true;
let startMs = performance.now();
let startCpuMs = cpuMs();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function endSlice(): void {
  const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
  const ended: Slice = {
    group: Math.floor(slice / GROUP_SIZE),
    isOn,
    endedAtMs: Date.now(),
    requests,
    wallMs: nowMs - startMs,
    cpuMs: nowCpuMs - startCpuMs,
  };
  lines.push(`${JSON.stringify(ended)}\n`);
  if (nowMs - writtenAtMs >= WRITE_EVERY_MS) {
    appendFileSync(FILE, lines.splice(0).join(''));
    writtenAtMs = nowMs;
  }
  slice += 1;
  requests = 0;
  if (slice % GROUP_SIZE === 0) {
    order = chooseOrder();
  }
  isOn = order[slice % GROUP_SIZE] ?? true;
  startMs = performance.now();
  startCpuMs = cpuMs();
}

type RecordUse = (
  principal: unknown,
  atMs: number,
  refusal: unknown,
  request: unknown,
  status: number,
) => void;

Object.assign(globalThis, {
  switchRecorder(record: RecordUse): RecordUse {
    return (principal, atMs, refusal, request, status) => {
      if (isOn || IS_CONTROL) {
        record(principal, atMs, refusal, request, status);
      }
      requests += 1;
      if (requests % GROUP === 0 && performance.now() - startMs >= SLICE_MS) {
        endSlice();
      }
    };
  },
});

registerHooks({
  load(url, context, nextLoad) {
    return url.endsWith(KEY_LOG)
      ? { format: 'module', source: WRAPPER, shortCircuit: true }
      : nextLoad(url, context);
  },
});
