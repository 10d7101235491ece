import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { isDeep } from '../../server/test/support/depth.ts';
import { waitUntilLoaded } from './steps.ts';

const colorSchemes = ['light', 'dark'] as const;
/** The rules whose outcome depends on colours. All others find the same in both schemes. */
const colorRules = ['color-contrast', 'link-in-text-block'];
const lookMark = 'data-axe-look';

/** A post with a body, a list with a query, a record's three methods and a stream of lines. */
const judgedPaths = new Set([
  '/guild/ledger',
  '/guild/ledger/{playerId}/transactions',
  '/guild/records/discharges/{id}',
  '/bot/import/{kind}',
]);

/** A phone, and a window of 1280 pixels at a zoom of 200 %. */
const furtherWidths = [390, 640];

/**
 * The violations that axe calls serious or critical, each with its place for the failure message. The page is judged as it
 * is, with its colours; when a dialog is open, only the dialog. Half of the places have the light scheme and half the dark
 * one, because all take their colours from one theme; in npm run test:deep each has both, and is judged on a phone and at a
 * zoom of 200 % too.
 */
export async function findViolations(page: Page, place: string): Promise<string[]> {
  const found = await judge(page, place);
  const present = page.viewportSize();
  if (!isDeep || present === null) return found;
  for (const width of furtherWidths.filter((one) => one !== present.width)) {
    await page.setViewportSize({ width, height: 844 });
    found.push(...(await judge(page, `${place} at ${width} pixels`)));
  }
  await page.setViewportSize(present);
  return found;
}

/**
 * Leaves a few operations in the reference of the API. axe looks at every element, and takes half a minute for fifty
 * operations that are all made of the same parts; npm run test:deep judges them all.
 */
export async function shortenReference(page: Page): Promise<void> {
  if (!isDeep) await leaveFewOperations(page);
}

/** The same in every run, for tests that judge the reference in many languages. */
export async function leaveFewOperations(page: Page): Promise<void> {
  await page.route('**/openapi.json', async (route) => {
    const answer = await route.fetch();
    const document = await answer.json();
    const paths = Object.entries(document.paths).filter(([path]) => judgedPaths.has(path));
    await route.fulfill({ response: answer, json: { ...document, paths: Object.fromEntries(paths) } });
  });
}

async function judge(page: Page, place: string): Promise<string[]> {
  await waitUntilLoaded(page);
  await showNoticesWhole(page);
  const root = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : 'html';
  const found = await analyze(page, place, { rules: disabled(colorRules), within: root });
  await markLooks(page, root);
  for (const colorScheme of isDeep ? colorSchemes : [schemeOf(place)]) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await waitForColors(page);
    const judged = await analyze(page, `${place} (${colorScheme})`, {
      runOnly: colorRules,
      within: `[${lookMark}]`,
    });
    found.push(...judged);
  }
  return found;
}

/** Chosen by the place's name: the same scheme in every run, whatever the order of the files. */
function schemeOf(place: string): (typeof colorSchemes)[number] {
  return Array.from(place).reduce((sum, character) => sum + character.charCodeAt(0), 0) % 2 === 0
    ? 'light'
    : 'dark';
}

/** A notice goes by itself and fades meanwhile. Whenever that is, it is judged as it was. */
async function showNoticesWhole(page: Page): Promise<void> {
  await page.evaluate((rule) => {
    const sheets = document.adoptedStyleSheets;
    if (sheets.some(({ cssRules }) => cssRules[0]?.cssText === rule)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    document.adoptedStyleSheets = [...sheets, sheet];
  }, '.mantine-Notification-root { opacity: 1 !important; }');
}

/**
 * Colours change over a moment, and only their end counts. Animations without an end, such as spinners, are left out. A
 * transition does not end while Chromium has stopped drawing, so the wait is bounded and a picture makes it draw again.
 */
async function waitForColors(page: Page): Promise<void> {
  await drawFrames(page);
  const areFinished = () =>
    page.evaluate((waitMs) => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
      return Promise.race([
        Promise.allSettled(ending.map((animation) => animation.finished)).then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), waitMs)),
      ]);
    }, 2_000);
  while (!(await areFinished())) await takePixel(page);
}

/**
 * Transitions start with the frame after the new colours. Chromium stops drawing now and then when a window is resized many times, until
 * a picture of it is taken.
 */
async function drawFrames(page: Page): Promise<void> {
  const isDrawn = () =>
    page.evaluate(
      (frameMs) =>
        new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(false), frameMs);
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
        }),
      2_000,
    );
  while (!(await isDrawn())) await takePixel(page);
}

async function takePixel(page: Page): Promise<void> {
  await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
}

interface Judgement {
  rules?: Record<string, { enabled: boolean }>;
  runOnly?: string[];
  /** Only these elements are judged. */
  within?: string;
}

function disabled(rules: string[]): Record<string, { enabled: boolean }> {
  return Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]));
}

/** The violations that axe finds on a page in its present state. */
export async function analyze(
  page: Page,
  place: string,
  { within, ...options }: Judgement = {},
): Promise<string[]> {
  // Loading axe takes longer than most pages take to judge, so once per page has to do.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder(isLoaded ? { page, axeSource: 'void 0' } : { page });
  if (within !== undefined) axe.include(within);
  // Passed rules are not described element by element, and frames are not searched, because the pages have none: both
  // would take much of the time on a long page.
  axe.setLegacyMode(true).options({ resultTypes: ['violations'], ...options });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/**
 * Marks one text of each look. Colours take axe most of its time, and texts that have the same attributes all the way up
 * to the top of the page have the same colours: the thousand rows of a reference teach it nothing that one does not.
 */
async function markLooks(page: Page, root: string): Promise<void> {
  await page.evaluate(
    ({ mark, root }) => {
      const withoutLook =
        /^(id|href|for|name|value|title|datetime|aria-(label|labelledby|describedby|controls))$/;
      const looks = new Map<Element, string>();
      const lookOf = (element: Element): string => {
        const known = looks.get(element);
        if (known !== undefined) return known;
        const attributes = [...element.attributes].filter(
          ({ name }) => name !== mark && !withoutLook.test(name),
        );
        const own = [element.tagName, ...attributes.map(({ name, value }) => `${name}=${value}`)].join(' ');
        const look = element.parentElement ? `${lookOf(element.parentElement)}\n${own}` : own;
        looks.set(element, look);
        return look;
      };
      const hasText = (element: Element) =>
        element.matches('input, textarea, select') ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
      const seen = new Set<string>();
      for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark);
      for (const element of document.querySelectorAll(`${root}, ${root} *`)) {
        if (!hasText(element) || !element.checkVisibility()) continue;
        const look = lookOf(element);
        if (!seen.has(look)) element.setAttribute(mark, '');
        seen.add(look);
      }
    },
    { mark: lookMark, root },
  );
}
