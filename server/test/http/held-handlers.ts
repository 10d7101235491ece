import type { StepHook } from './step-hook.ts';

const HEADER = 'x-held-handler';

/** Holds the handlers of chosen requests, so that a test sees how many work at once. */
export interface HeldHandlers {
  /** To be given to the service. */
  stepHook: StepHook;
  /** The headers of a request whose handler is to be held. */
  headers(): Record<string, string>;
  /** The number of handlers that are held now. */
  count(): number;
  /** Lets all requests pass that have had the present headers, also those that reach their handler later. */
  releaseAll(): void;
}

export function createHeldHandlers(): HeldHandlers {
  let generation = 1;
  let held: (() => void)[] = [];
  return {
    async stepHook(step, { raw }) {
      if (step === 'before handler' && raw.headers[HEADER] === String(generation)) {
        await new Promise<void>((resolve) => held.push(resolve));
      }
    },
    headers: () => ({ [HEADER]: String(generation) }),
    count: () => held.length,
    releaseAll() {
      generation += 1;
      for (const release of held) {
        release();
      }
      held = [];
    },
  };
}
