import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../e2e/support/chromium.ts';
import { startDemo } from '../e2e/support/demo-process.ts';
import { enter } from '../e2e/support/steps.ts';

/**
 * Opens the overview and a player's page of the try-out in Chromium as on a machine a quarter as fast, with nothing in the
 * cache, and prints when each could be used: no placeholder is left and its picture is drawn. Beside it, the JavaScript that was asked
 * for until then. The pages have to be built.
 */
const ROUNDS = Number(process.argv[2] ?? 9);
const SLOWER = 4;
const GUILD = '/dashboard/guilds/1491363316481801678';
const PAGES = join(import.meta.dirname, '../server/pages');

interface Visit {
  usableMs: number;
  scripts: string[];
}

/** Notes in the page when it becomes usable; a look at each change costs a fraction of what it measures. */
const WATCH = `new MutationObserver(() => {
  const main = document.querySelector('main');
  const isDrawn = main?.querySelector('figure svg path, figure svg rect') != null;
  if (isDrawn && !main.querySelector('.mantine-Skeleton-root')) window.usableMs ??= performance.now();
}).observe(document, { childList: true, subtree: true })`;

const REPORT = `({
  usableMs: window.usableMs,
  scripts: performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < window.usableMs)
    .map(({ name }) => new URL(name).pathname),
})`;

async function visit(browser: Browser, options: BrowserContextOptions, path: string): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript({ content: WATCH });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(path);
  await page.waitForFunction(() => 'usableMs' in globalThis);
  const seen: Visit = await page.evaluate(REPORT);
  await context.close();
  return seen;
}

function kilobytes(scripts: readonly string[], ending: string): string {
  const files = scripts.map((path) => join(PAGES, `${path.replace(/^\/dashboard\//, '')}${ending}`));
  return (files.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000).toFixed(1);
}

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

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const demo = await startDemo();
// The compilers of a person's browser, not those of the tests.
const browser = await launchChromium({ args: ['--no-sandbox', '--disable-background-networking'] });
try {
  const options = await signIn(browser, demo.address);
  const playerId = await findPlayer(browser, options);
  console.log('page      median ms  fastest  slowest  files  kB gzip  kB brotli');
  for (const [name, path] of [
    ['overview', GUILD],
    ['player', `${GUILD}/ledger/${playerId}`],
  ] as const) {
    // The first visit warms up the service, and does not count.
    await visit(browser, options, path);
    const visits: Visit[] = [];
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(browser, options, path));
    const times = visits.map(({ usableMs }) => usableMs);
    const scripts = visits[0]?.scripts ?? [];
    const cells = [middle(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(0));
    console.log(
      [name.padEnd(9), ...cells.map((cell) => cell.padStart(8)), String(scripts.length).padStart(6)].join(
        ' ',
      ),
      kilobytes(scripts, '.gz').padStart(8),
      kilobytes(scripts, '.br').padStart(10),
    );
    if (process.argv.includes('--files')) console.log(scripts.join('\n'));
  }
} finally {
  await browser.close();
  await demo.end();
}
