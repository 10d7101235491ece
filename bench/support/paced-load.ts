import path from 'node:path';
import { createFolder } from './processes.ts';
import { type Load, runWrk, writeScript } from './wrk.ts';

/**
 * Sends a load about `perSecond` times a second for a number of seconds and returns the rate that was reached. The sender is wrk, whose
 * connections pause before each request, because it takes a fraction of the processor time of a sender in JavaScript: the load that is
 * measured beside it shares the processors with it.
 */
export type SendPaced = (load: Load, seconds: number) => Promise<number>;

export interface PacedLoadOptions {
  address: string;
  perSecond: number;
  connections: number;
}

export function createPacedLoad({ address, perSecond, connections }: PacedLoadOptions): SendPaced {
  const folder = createFolder();
  const roundMs = (connections * 1_000) / perSecond;
  // The wait for an answer is part of the round of a connection. It is known after the first time.
  let answerMs = 0;
  return async (load, seconds) => {
    const pauseMs = Math.max(1, Math.round(roundMs - answerMs));
    const script = writeScript(folder, path.basename(folder), { ...load, pauseMs });
    const { requestsPerSecond, failures, failed } = await runWrk(script, address, {
      seconds: Math.ceil(seconds),
      connections,
    });
    if (failures > 0) {
      throw new Error(`${failures} requests failed: ${failed}`);
    }
    answerMs = Math.max(0, (connections * 1_000) / requestsPerSecond - pauseMs);
    return requestsPerSecond;
  };
}
