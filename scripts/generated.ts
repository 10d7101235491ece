import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS, type Setting } from '../server/src/config.ts';
import { ENDPOINTS } from '../server/src/http/endpoints.ts';
import { buildOpenApi } from '../server/src/http/openapi/document.ts';
import { clientTypes } from './client-types.ts';

/** The documents that are derived from code. With --check nothing is written, and a stale one fails. */
const DOCUMENTS: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(buildOpenApi(ENDPOINTS), null, 2)}\n`,
  'docs/configuration.md': configurationPage,
  'client/src/schema.ts': () => clientTypes(buildOpenApi(ENDPOINTS)),
};

function configurationPage(): string {
  const rows = Object.values<Setting>(SETTINGS).map(
    ({ name, defaultText, form, doc }) =>
      `| \`${name}\` | ${defaultText === undefined || defaultText === '' ? 'none' : `\`${defaultText}\``} | ${form} | ${doc} |`,
  );
  return `# Configuration

Made from \`server/src/config.ts\` by \`npm run generate\`; do not edit by hand.

Every setting is an environment variable. An empty one counts as absent. Settings can also stand in a file, one
\`NAME=value\` a line, that \`--env-file\` or the variable \`GUILDBOOK_ENV_FILE\` names; the environment wins over the file.
What Node.js itself reads at its start, such as \`NODE_OPTIONS\` and \`NODE_EXTRA_CA_CERTS\`, has to be in the environment.
\`npx guildbook config\` prints what is in force and where it comes from, and reports all faults at once.

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

function readOrEmpty(url: URL): string {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return '';
  }
}
