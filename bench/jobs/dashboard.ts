import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../e2e/support/chromium.ts';
import { type RunningDemo, startDemo } from '../../e2e/support/demo-process.ts';
import { openGuild, signIn } from '../../e2e/support/steps.ts';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { median } from '../support/measure.ts';
import { runToEnd } from '../support/processes.ts';
import { type Bench, createStage, type Job, type Stage } from '../support/stage.ts';
import { undoAtEnd } from '../support/undo.ts';

const LOADS = 5;
const KILOBYTE = 1_000;
const BUILD = fileURLToPath(new URL('../../dashboard/build.ts', import.meta.url));

interface Opened {
  demo: RunningDemo;
  browser: Browser;
  stop: () => Promise<void>;
}

/** One cold load: when the page could be used, and what was sent for it. */
interface ColdLoad {
  readyMs: number;
  scriptBytes: number;
  styleBytes: number;
}

/** The dashboard in Chromium, on the try-out's data. */
export function createDashboardStage(bench: Bench): Stage {
  return createStage<Opened>({
    name: 'dashboard',
    programs: [PROGRAMS.chromium],
    aboutSecondsToStart: 10,
    start: () => open(bench),
    jobs: [signInJob(bench), overviewJob(bench)],
    stop: ({ stop }) => stop(),
  });
}

async function open({ findings }: Bench): Promise<Opened> {
  await runToEnd(process.execPath, [BUILD]);
  const starting = startDemo();
  const endDemo = undoAtEnd(async () => (await starting.catch(() => undefined))?.end());
  const demo = await starting;
  // The run stops it itself, in its turn.
  const launching = launchChromium({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  const close = undoAtEnd(async () => (await launching.catch(() => undefined))?.close());
  const browser = await launching;
  findings.facts.set('Chromium', browser.version());
  return {
    demo,
    browser,
    async stop() {
      await close();
      await endDemo();
    },
  };
}

function signInJob({ findings }: Bench): Job<Opened> {
  return {
    name: 'dashboard-sign-in',
    title: 'cold loads of the sign-in page',
    aboutSeconds: 5,
    async run({ demo, browser }) {
      const { readyMs, scriptBytes, styleBytes } = await loadRepeatedly({
        browser,
        context: { baseURL: demo.address },
        address: '/dashboard/',
        control: 'a[href^="/dashboard/api/sign-in"]',
      });
      const [script, style] = [scriptBytes / KILOBYTE, styleBytes / KILOBYTE];
      findings.addFigure({
        title: 'JavaScript of the sign-in page, as sent (Brotli)',
        value: script,
        unit: 'kB',
        atMost: 250,
      });
      findings.addFigure({ title: 'CSS of the sign-in page, as sent (Brotli)', value: style, unit: 'kB' });
      findings.addFigure({ title: 'sign-in page, cold, until usable', value: readyMs, unit: 'ms' });
    },
  };
}

function overviewJob({ findings }: Bench): Job<Opened> {
  return {
    name: 'dashboard-overview',
    title: 'cold loads of a guild’s overview',
    aboutSeconds: 8,
    async run({ demo, browser }) {
      const { address, context } = await enter(demo, browser);
      const { readyMs, scriptBytes } = await loadRepeatedly({
        browser,
        context,
        address,
        control: 'button[aria-label^="Date range"]',
      });
      const value = scriptBytes / KILOBYTE;
      findings.addFigure({
        title: 'JavaScript until the overview is usable, as sent (Brotli)',
        value,
        unit: 'kB',
      });
      findings.addFigure({ title: 'a guild’s overview, cold, until usable', value: readyMs, unit: 'ms' });
    },
  };
}

/** Signs the owner in, and returns where the overview is and the cookies that open it. */
async function enter(
  demo: RunningDemo,
  browser: Browser,
): Promise<{ address: string; context: BrowserContextOptions }> {
  const context = await browser.newContext({ baseURL: demo.address });
  const page = await context.newPage();
  await signIn(page, 'owner');
  const address = await openGuild(page);
  const { cookies } = await context.storageState();
  await context.close();
  return { address, context: { baseURL: demo.address, storageState: { cookies, origins: [] } } };
}

/**
 * Every load has a browser context of its own, with nothing in its cache. The page itself notes when its control appears; code of
 * other pages, which is loaded after that, does not count.
 */
async function loadRepeatedly(from: {
  browser: Browser;
  context: BrowserContextOptions;
  address: string;
  /** A selector of what people use on the page. */
  control: string;
}): Promise<ColdLoad> {
  const loads: ColdLoad[] = [];
  for (let count = 0; count < LOADS; count += 1) {
    const context = await from.browser.newContext(from.context);
    const page = await context.newPage();
    await page.addInitScript({ content: noteWhenThere(from.control) });
    await page.goto(from.address, { waitUntil: 'commit' });
    await page.locator(from.control).click({ trial: true });
    loads.push(await page.evaluate(READ_LOAD));
    await context.close();
  }
  const middle = (field: keyof ColdLoad) => median(loads.map((load) => load[field]));
  return {
    readyMs: middle('readyMs'),
    scriptBytes: middle('scriptBytes'),
    styleBytes: middle('styleBytes'),
  };
}

const noteWhenThere = (selector: string) => `new MutationObserver(() => {
  if (document.querySelector(${JSON.stringify(selector)})) window.usableMs ??= performance.now();
}).observe(document, { childList: true, subtree: true })`;

/** By the page's own clock, which starts with the navigation. */
const READ_LOAD = `(() => {
  const sent = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < window.usableMs);
  const sum = (ending) => sent
    .filter(({ name }) => new URL(name).pathname.endsWith(ending))
    .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  return { readyMs: window.usableMs, scriptBytes: sum('.js'), styleBytes: sum('.css') };
})()`;
