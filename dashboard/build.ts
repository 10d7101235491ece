import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Logger } from 'vite';

// Builds the pages when one of their sources has changed, and is silent otherwise, so that `npm start` can call it every
// time. With --quiet it prints no sizes.

const root = import.meta.dirname;
// Inside the server's package, which serves them.
const dist = join(root, '..', 'server', 'pages');
const stampFile = join(dist, '.build-stamp');
const pages = ['index.html', 'docs.html', 'receipt.html'];
const inputs = [
  'src/**/*',
  'locales/*.po',
  '*.html',
  '*.ts',
  'package.json',
  'tsconfig.json',
  '../package-lock.json',
  // The checks of the service's answers are made from these.
  '../server/src/wire/*.ts',
  '../server/src/key-terms.ts',
  // The receipt page checks receipts with the client library.
  '../client/src/**/*.ts',
];
const isQuiet = process.argv.includes('--quiet');
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);
const initialScriptBytesMax = 182_500;
/** The limit for the overview, which most people open first, with everything that it loads. */
const overviewScriptBytesMax = 202_000;

/** Files of the first screens: most of their functions are called while the page loads. */
const firstScreens = [
  ...['first', 'libraries', 'shared', 'start', 'rooms', 'OverviewPage'],
  ...['person', 'PersonPage', 'PersonAccount', 'parts', 'reference'],
];

function hashInputs(): string {
  const hash = createHash('sha256');
  const files = inputs.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }));
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) {
    const content = readFileSync(path);
    hash.update(`${path.slice(root.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function isUpToDate(stamp: string): boolean {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) return false;
  return pages.every((page) => existsSync(join(dist, page)));
}

/**
 * A browser compiles a function when it is first called, and the page waits. In a file that begins with this comment Chromium compiles
 * all functions on another thread while the file is loaded. Other browsers ignore it. Vite would put its own lines before it.
 */
function compileEarly(): void {
  const assets = join(dist, 'assets');
  for (const name of firstScreens) {
    const files = globSync(`${name}-*.js`, { cwd: assets });
    if (files.length !== 1) throw new Error(`There are ${files.length} files of the chunk ${name}`);
    const path = join(assets, files[0] ?? '');
    writeFileSync(path, `//# allFunctionsCalledOnLoad\n${readFileSync(path, 'utf8')}`);
  }
}

async function compress(): Promise<void> {
  const files = globSync('**/*', { cwd: dist }).filter((file) => compressible.has(extname(file)));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const work = files.map(async (file) => {
    const path = join(dist, file);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params }));
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
  });
  await Promise.all(work);
}

/** Checks the scripts that a page loads first, and prints their size. */
function checkPage(page: string): void {
  const html = readFileSync(join(dist, page), 'utf8');
  // The server's content security policy refuses inline scripts; better to learn of one here.
  if (/<script(?![^>]*\ssrc=)/.test(html)) throw new Error(`${page} holds an inline script`);
  const scripts = new Set(
    [...html.matchAll(/(?:src|href)="\/dashboard\/([^"]+\.js)"/g)].map(([, name]) => name),
  );
  const sizeOf = (ending: string) =>
    [...scripts].reduce((sum, script) => sum + readFileSync(join(dist, `${script}${ending}`)).length, 0);
  const gzipBytes = sizeOf('.gz');
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  report(
    `${basename(page)}: initial JavaScript ${kilobytes(gzipBytes)} gzip, ${kilobytes(sizeOf('.br'))} brotli`,
  );
  if (gzipBytes > initialScriptBytesMax) {
    throw new Error(`${page} loads more than ${kilobytes(initialScriptBytesMax)} of compressed JavaScript`);
  }
}

/** The first requests must not wait for a library: their chunk imports no other. */
function checkFirst(): void {
  const assets = join(dist, 'assets');
  const [name = ''] = globSync('first-*.js', { cwd: assets });
  const code = readFileSync(join(assets, name), 'utf8');
  const imported = [...code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, chunk = '']) => chunk);
  if (imported.length > 0) throw new Error(`The chunk of the first requests imports ${imported.join(', ')}`);
}

/** Checks the size of the overview's scripts, together with everything that its own code imports. */
function checkOverview(): void {
  const assets = join(dist, 'assets');
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = globSync('OverviewPage-*.js', { cwd: assets });
  const waiting = [...first, ...[...html.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)];
  const scripts = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (scripts.has(name)) continue;
    scripts.add(name);
    const code = readFileSync(join(assets, name), 'utf8');
    waiting.push(...[...code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, found = '']) => found));
  }
  const bytes = [...scripts].reduce((sum, name) => sum + readFileSync(join(assets, `${name}.gz`)).length, 0);
  report(`overview: ${(bytes / 1000).toFixed(1)} kB gzip in ${scripts.size} files`);
  if (first.length !== 1 || bytes > overviewScriptBytesMax) {
    throw new Error(
      `The overview has more than ${overviewScriptBytesMax / 1000} kB of compressed JavaScript`,
    );
  }
}

async function loadVite(): Promise<typeof import('vite')> {
  try {
    return await import('vite');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) {
      throw error;
    }
    console.error(
      'The web pages cannot be built without the development packages: run "npm ci" without --omit=dev, or use the ' +
        'published package "guildbook", which has them built in.',
    );
    process.exit(1);
  }
}

/**
 * Mantine's PostCSS preset makes rules of its own, which have no file, and Vite warns about that in each build. The rules
 * refer to no assets, so the warning is without consequence.
 */
function withoutNoise(logger: Logger): Logger {
  const { warnOnce } = logger;
  logger.warnOnce = (message, options) => {
    if (!message.includes('did not pass the `from` option')) warnOnce(message, options);
  };
  return logger;
}

function report(line: string): void {
  if (!isQuiet) console.log(line);
}

const stamp = hashInputs();
if (!isUpToDate(stamp)) {
  // Loaded only now: Vite alone takes longer to start than the whole check above.
  if (isQuiet) console.log('Building the web pages. This is done once and takes some seconds.');
  const { build, createLogger } = await loadVite();
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    customLogger: withoutNoise(createLogger('warn')),
  });
  compileEarly();
  await compress();
  for (const page of pages) checkPage(page);
  checkOverview();
  checkFirst();
  // Last, so that a build that failed half-way is done again.
  writeFileSync(stampFile, stamp);
}
