import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTINGS, type Setting } from '../server/src/config.ts';
import { ENDPOINTS } from '../server/src/http/endpoints.ts';
import { buildOpenApi } from '../server/src/http/openapi/document.ts';
import { clientShapes } from './client-shapes.ts';
import { clientTypes } from './client-types.ts';

/** The formats and proofs of sealed ledgers that clients check. */
const SEAL_FILES = [
  'bytes.ts',
  'canonical-json.ts',
  'check-proofs.ts',
  'checkpoint.ts',
  'note.ts',
  'proof-text.ts',
  'seal-error.ts',
];

/** The documents that are derived from code. With --check nothing is written, and a stale one fails. */
const DOCUMENTS: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(buildOpenApi(ENDPOINTS), null, 2)}\n`,
  'docs/configuration.md': configurationPage,
  'client/src/schema.ts': () => clientTypes(buildOpenApi(ENDPOINTS)),
  'client/src/shapes.ts': () => clientShapes(buildOpenApi(ENDPOINTS)),
  ...Object.fromEntries(SEAL_FILES.map((name) => [`client/src/seal/${name}`, () => sealFile(name)])),
};

/** The client has its own copy of the code that checks seals, because its package contains nothing of the server. */
function sealFile(name: string): string {
  const source = readFileSync(new URL(`../server/src/domain/seal/${name}`, import.meta.url), 'utf8');
  return `// Copied from server/src/domain/seal by \`npm run generate\`; do not edit by hand.\n\n${source}`;
}

function configurationPage(): string {
  const rows = Object.values<Setting>(SETTINGS).map(
    ({ name, defaultText, form, doc }) =>
      `| \`${name}\` | ${defaultText === undefined || defaultText === '' ? 'none' : `\`${defaultText}\``} | ${form} | ${doc} |`,
  );
  return `# Configuration

Made from \`server/src/config.ts\` by \`npm run generate\`; do not edit by hand.

Every setting is an environment variable. An empty one counts as absent. Settings can also be in a file that \`--env-file\` or
the variable \`GUILDBOOK_ENV_FILE\` names; the environment wins over the file. The file is UTF-8 text with one \`NAME=value\` a line.
Blank lines and lines that begin with \`#\` are comments. A value may be in quotes, and must be when it has a \`#\` in it.

A command refuses a file with a mistyped name, a line that it cannot read, or a name that appears twice. It lists all faults with
their lines, together with the faults of the values. Any other name that is not a setting is a warning on standard error, and the
command runs; so is a mistyped setting in the environment. \`--quiet\` silences the warnings. Node.js reads some variables at its
start, before the file, such as \`NODE_OPTIONS\`, \`NODE_EXTRA_CA_CERTS\` and \`MALLOC_ARENA_MAX\`: set them in the environment.
\`guildbook config\` prints each value and its source, all warnings and all faults.

| setting | default | values | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

const isCheck = process.argv.includes('--check');
for (const [file, make] of Object.entries(DOCUMENTS)) {
  const url = new URL(`../${file}`, import.meta.url);
  const text = make();
  if (!isCheck) {
    writeFileSync(url, text);
  } else if (readOrEmpty(url) !== text) {
    console.error(`${file} is not up to date: run "npm run generate"`);
    process.exitCode = 1;
  }
}

extractTexts();

/** The messages of the dashboard are extracted from its code into the catalogues; translations of messages that are gone are removed. */
function extractTexts(): void {
  const command = isCheck ? ['check', 'sync', '--clean', '--verbose'] : ['extract', '--clean'];
  const tool = fileURLToPath(new URL('../node_modules/.bin/lingui', import.meta.url));
  const config = fileURLToPath(new URL('../dashboard/lingui.config.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [tool, ...command, '--config', config, '--workers', '1'], {
    stdio: ['ignore', isCheck ? 'inherit' : 'ignore', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
}

function readOrEmpty(url: URL): string {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return '';
  }
}
