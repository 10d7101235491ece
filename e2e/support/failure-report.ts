import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Demo } from './demo-process.ts';

const linesMax = 60;
const nameLengthMax = 60;
const screenshotWaitMs = 30_000;

let reportCount = 0;

/**
 * Notes what happens in a browser from now on. The returned function prints it, for a test of that name that failed,
 * with the pages as they are at that moment.
 */
export function watchForFailure(context: BrowserContext, demo: Demo): (testName: string) => Promise<void> {
  const printedBefore = demo.output().length;
  const messages: string[] = [];
  const requests: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) =>
    messages.push(`uncaught: ${error.error().stack ?? error.error().message}`),
  );
  context.on('requestfailed', (request) => {
    requests.push(`${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`);
  });
  context.on('response', (response) => {
    if (response.status() < 400) return;
    requests.push(`${response.request().method()} ${response.url()} ${response.status()}`);
  });
  return async (testName) => {
    const pages = await Promise.all(context.pages().map((page) => describePage(page, testName)));
    const printed = demo.output().slice(printedBefore).split('\n');
    const sections = [
      describe('Pages', pages),
      describe('Console errors and warnings', messages),
      describe('Failed requests', requests),
      describe('The demo printed', printed),
    ];
    console.error([`The browser at the end of “${testName}”`, ...sections].join('\n'));
  };
}

async function describePage(page: Page, testName: string): Promise<string> {
  reportCount += 1;
  const slug = testName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = `guildbook-e2e-${slug.slice(0, nameLengthMax)}-${process.pid}-${reportCount}.png`;
  const path = join(tmpdir(), name);
  const outcome = await page.screenshot({ path, timeout: screenshotWaitMs }).then(
    () => `screenshot ${path}`,
    (error: unknown) => `no screenshot: ${error instanceof Error ? error.message : error}`,
  );
  return `${page.url()}, ${outcome}`;
}

/** The end of a long list is what led to the failure. */
function describe(title: string, lines: string[]): string {
  const shown = lines.filter((line) => line.trim() !== '').slice(-linesMax);
  return [`  ${title}:${shown.length === 0 ? ' none' : ''}`, ...shown.map((line) => `    ${line}`)].join(
    '\n',
  );
}
