import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read } from './run.ts';

/** What makes the web pages and is no part of them. */
const PAGE_TOOLS = [/^@types\//, /^@vitejs\//, /^postcss/, /^vite$/];

interface Sbom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

interface Component {
  'bom-ref': string;
  name: string;
}

/** What an installation of the server brings along, and what its web pages were built from, in CycloneDX, from the lock file. */
export function makeSbom(version: string): string {
  const sbom = readSbom('guildbook', ['--omit', 'dev']);
  // npm makes it about the workspace as a whole, of which the package is a part under the name of its folder.
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
  ];
  sbom.dependencies = [
    ...sbom.dependencies.filter(({ ref }) => ref !== workspace),
    ...pages.dependencies.filter(({ ref }) => further.has(ref)),
  ];
  return `${JSON.stringify(sbom, null, 2)}\n`;
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
