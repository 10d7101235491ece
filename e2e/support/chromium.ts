import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

// The first has no windows of its own and takes a third less work than the whole browser.
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.CHROMIUM_PATH ?? programs.find(existsSync);

// Without these Chromium itself would talk to its maker, and the sandbox needs rights that containers lack.
const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Pages are drawn in software, so a GPU process would only take time.
  '--disable-gpu',
  '--in-process-gpu',
];
/** A test's page is gone before optimised code pays for its compilation. */
const shortLived = '--js-flags=--no-opt --no-maglev';

/** Starts the system's Chromium. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: requireChromium(), args, ...options });
}

/** Starts the system's Chromium for several processes, which connect to its address. */
export async function serveChromium(options: LaunchOptions = {}): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: requireChromium(),
    args: [...args, shortLived],
    ...options,
  });
}

function requireChromium(): string {
  if (executablePath !== undefined && existsSync(executablePath)) return executablePath;
  throw new Error(
    `There is no Chromium at ${executablePath ?? programs.join(' or ')}. Install the package chromium-headless-shell ` +
      '(Debian: sudo apt-get install --yes chromium-headless-shell), or set CHROMIUM_PATH to the program.',
  );
}
