import type { ImportGraph } from './import-graph.ts';

/**
 * The rooms of the house and what each may know of. A room may always import itself. Adapters stand side by side
 * above the domain and never see one another, nor do the two stores, which share what lies in `store` itself;
 * `config` stands beside `compose` and sees the domain alone.
 */
const STORES = ['store', 'store/sqlite', 'store/postgres'];
const ADAPTERS = ['http', ...STORES, 'limiter', 'chat-platform', 'sample-data'];
const BELOW_COMPOSE = ['config', ...ADAPTERS, 'exchange', 'wire', 'domain'];

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'compose', ...BELOW_COMPOSE],
  cli: ['compose', ...BELOW_COMPOSE],
  compose: BELOW_COMPOSE,
  config: ['domain'],
  http: ['exchange', 'wire', 'domain'],
  exchange: ['wire', 'domain'],
  store: ['domain'],
  'store/sqlite': ['store', 'domain'],
  'store/postgres': ['store', 'domain'],
  limiter: ['domain'],
  'chat-platform': ['domain'],
  'sample-data': ['domain'],
  wire: [],
  domain: [],
};

/** These need nothing but the runtime and what they may import of ours. */
const ONLY_BUILT_INS = ['domain', 'sample-data'];

/** The layer of a file, the longest that fits: `store/sqlite/open.ts` is of `store/sqlite`, `main.ts` of `main`. */
export function layerOf(file: string): string | undefined {
  const name = file.replace(/\.ts$/, '');
  const fitting = Object.keys(MAY_IMPORT).filter((layer) => name === layer || name.startsWith(`${layer}/`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** Every import that goes the wrong way, in words. */
export function findForbiddenImports(graph: ImportGraph): string[] {
  const complaints: string[] = [];
  for (const [file, imports] of graph) {
    const layer = layerOf(file);
    if (layer === undefined) {
      complaints.push(`${file} belongs to no layer`);
      continue;
    }
    for (const imported of imports) {
      const complaint = complaintAbout({ layer, imported, isOurs: graph.has(imported) });
      if (complaint !== undefined) {
        complaints.push(`${file} imports ${imported}: ${complaint}`);
      }
    }
  }
  return complaints;
}

function complaintAbout(one: { layer: string; imported: string; isOurs: boolean }): string | undefined {
  const { layer, imported, isOurs } = one;
  if (!isOurs) {
    if (imported.startsWith('.') || imported.endsWith('.ts')) {
      return 'there is no such file in the tree';
    }
    const isBuiltIn = imported.startsWith('node:');
    return ONLY_BUILT_INS.includes(layer) && !isBuiltIn ? `${layer} needs nothing from outside` : undefined;
  }
  const importedLayer = layerOf(imported) ?? 'none';
  const isAllowed = importedLayer === layer || MAY_IMPORT[layer]?.includes(importedLayer);
  return isAllowed ? undefined : `${layer} must not know of ${importedLayer}`;
}
