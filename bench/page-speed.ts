import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../e2e/support/chromium.ts';
import { startDemo } from '../e2e/support/demo-process.ts';
import { pageContents } from '../e2e/support/first-screen.ts';
import { enter } from '../e2e/support/steps.ts';
import { type Network, type Visit, visit } from './page-speed/visit.ts';

/**
 * Opens the overview, a person's page and the reference of the try-out in Chromium as on a machine a quarter as fast with
 * 1.6 Mbit/s and nothing in the cache, and prints when each could be used, and what happened until then. The first table
 * has no latency beyond that of the machine, the second the 150 ms of a slow mobile network. The pages have to be built.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const GUILD = '/dashboard/guilds/1491363316481801678';
const MEGABIT_BYTES = 1_000_000 / 8;
const NETWORKS: readonly Network[] = [
  { name: '1.6 Mbit/s', latencyMs: 0, downBytes: 1.6 * MEGABIT_BYTES, upBytes: 0.75 * MEGABIT_BYTES },
  {
    name: '1.6 Mbit/s and 150 ms',
    latencyMs: 150,
    downBytes: 1.6 * MEGABIT_BYTES,
    upBytes: 0.75 * MEGABIT_BYTES,
  },
];

async function signIn(browser: Browser, baseURL: string): Promise<BrowserContextOptions> {
  const context = await browser.newContext({ baseURL });
  await enter(await context.newPage(), 'owner');
  const storageState = await context.storageState();
  await context.close();
  return { baseURL, storageState, viewport: { width: 1440, height: 900 } };
}

async function findPlayer(browser: Browser, options: BrowserContextOptions): Promise<string> {
  const context = await browser.newContext(options);
  const answer = await context.request.get(
    `${GUILD.replace('/dashboard', '/dashboard/api')}/players?limit=20`,
  );
  const players: { playerId: string; transactions: number }[] = (await answer.json()).data;
  await context.close();
  const [busiest] = players.toSorted((one, other) => other.transactions - one.transactions);
  if (!busiest) throw new Error('The try-out has no players');
  return busiest.playerId;
}

/** The columns of the table: each is the median of all visits. */
const COLUMNS: readonly [title: string, of: (seen: Visit) => number][] = [
  ['usable ms', ({ usableMs }) => usableMs],
  ['complete', ({ completeMs }) => completeMs],
  ['requests', ({ requests }) => requests.length],
  ['kB', ({ bytes }) => bytes / 1_000],
  ['code loaded ms', ({ codeMs }) => codeMs],
  ['first API sent', ({ apiSentMs }) => apiSentMs],
  ['last API loaded', ({ apiMs }) => apiMs],
  ['script ms', ({ scriptMs }) => scriptMs],
  ['style ms', ({ styleMs }) => styleMs],
];

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function printRow(name: string, cells: readonly string[]): void {
  console.log(
    `${name.padEnd(10)}${cells.map((cell, index) => cell.padStart((COLUMNS[index]?.[0].length ?? 15) + 2)).join('')}`,
  );
}

const demo = await startDemo();
// The compilers of a person's browser, not those of the tests.
const browser = await launchChromium();
try {
  const options = await signIn(browser, demo.address);
  const pages = [
    ['overview', GUILD],
    ['person', `${GUILD}/people/${await findPlayer(browser, options)}`],
    ['docs', '/docs'],
  ] as const;
  for (const network of NETWORKS) {
    console.log(`\n${network.name}, ${ROUNDS} visits`);
    printRow('page', [...COLUMNS.map(([title]) => title), 'fastest–slowest']);
    for (const [name, path] of pages) {
      const watched = { browser, options, network, path, content: pageContents[name] };
      // The first visit warms up the service, and does not count.
      await visit(watched);
      const visits: Visit[] = [];
      for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(watched));
      const times = visits.map(({ usableMs }) => usableMs);
      const cells = COLUMNS.map(([, of]) => middle(visits.map(of)).toFixed(0));
      printRow(name, [...cells, `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`]);
      if (process.argv.includes('--requests')) console.log(visits[0]?.requests.join('\n'));
    }
  }
} finally {
  await browser.close();
  await demo.end();
}
