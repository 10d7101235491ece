import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findMemoryParent } from '../../server/test/support/memory-folder.ts';
import { serveChromium } from './chromium.ts';
import { type RunningDemo, startDemo } from './demo-process.ts';
import type { SharedName } from './shared.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with the address of each thing that all browser tests share. */
    sharedAddress: string;
  }
}

/**
 * One Chromium and one set of sample data for the whole run. Each starts when the first test file asks for it, so that
 * a run without such files does without; and both end with the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = once<BrowserServer>(() => serveChromium());
  const samples = once<RunningDemo>(makeSamples);
  const answers: Record<SharedName, () => Promise<string>> = {
    chromium: async () => (await chromium.start()).wsEndpoint(),
    samples: async () => (await samples.start()).folder,
  };
  const server = createServer(async (request, response) => {
    const answer = answers[request.url?.slice(1) as SharedName];
    try {
      response.end(await answer());
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port always has an address of this kind.
  const { port } = server.address() as AddressInfo;
  project.provide('sharedAddress', `http://127.0.0.1:${port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await (await chromium.started())?.close();
    await (await samples.started())?.end();
  };
}

/** Runs the try-out once, which makes its data, and stops it so that they can be copied. */
async function makeSamples(): Promise<RunningDemo> {
  const demo = await startDemo({}, { parent: findMemoryParent() });
  await demo.stop();
  return demo;
}

interface Once<Thing> {
  start: () => Promise<Thing>;
  /** Undefined when nobody asked for it, or when it could not be started. */
  started: () => Promise<Thing | undefined>;
}

function once<Thing>(make: () => Promise<Thing>): Once<Thing> {
  let starting: Promise<Thing> | undefined;
  return {
    start: () => {
      starting ??= make();
      return starting;
    },
    started: async () => starting?.catch(() => undefined),
  };
}
