import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Without these Chromium itself would talk to its maker, and the sandbox needs rights that containers lack.
const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the system's Chromium. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  requireChromium();
  return chromium.launch({ executablePath, args, ...options });
}

/** Starts the system's Chromium for several processes, which connect to its address. */
export async function serveChromium(options: LaunchOptions = {}): Promise<BrowserServer> {
  requireChromium();
  return chromium.launchServer({ executablePath, args, ...options });
}

function requireChromium(): void {
  if (existsSync(executablePath)) return;
  throw new Error(
    `There is no Chromium at ${executablePath}. Install the package "chromium" (Debian and Ubuntu: ` +
      'sudo apt-get install --yes chromium), or set CHROMIUM_PATH to the program.',
  );
}
