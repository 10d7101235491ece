import type { ImportGraph } from './import-graph.ts';

/** The imports that the layers of a source tree may have. A layer may always import itself. */
export interface ImportRules {
  /** Each layer, a folder or a file without its ending, with the other layers that it may import. */
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** These layers import no packages, only the runtime and our own layers. */
  onlyBuiltIns: readonly string[];
  /** Folders beside the tree that a layer may import from, relative to the tree's root. */
  outside: Readonly<Record<string, string>>;
}

// Adapters import the domain and never one another. Nor do the two stores, which share the files of `store` itself.
// `config` imports only the domain.
const STORES = ['store', 'store/sqlite', 'store/postgres'];
const ADAPTERS = ['http', ...STORES, 'limiter', 'webhooks', 'chat-platform'];
const BELOW_COMPOSE = [
  'config',
  ...ADAPTERS,
  'import-export',
  'wire',
  'domain',
  'version',
  'command-name',
  'key-terms',
  'texts',
  'node-http',
  'outgoing',
  'png',
  'escape-html',
];

// The demo imports `compose` and is no part of the product: only the command line imports it.
const DEMO = ['demo', 'demo/platform', 'demo/sample-data'];

export const SERVER_RULES: ImportRules = {
  mayImport: {
    main: ['cli', ...DEMO, 'compose', ...BELOW_COMPOSE],
    cli: [...DEMO, 'compose', ...BELOW_COMPOSE],
    demo: ['demo/sample-data', 'compose', ...BELOW_COMPOSE],
    'demo/platform': ['chat-platform', 'domain', 'node-http', 'png', 'escape-html'],
    'demo/sample-data': ['domain'],
    compose: BELOW_COMPOSE,
    config: ['domain'],
    http: [
      'import-export',
      'wire',
      'domain',
      'version',
      'command-name',
      'key-terms',
      'texts',
      'node-http',
      'png',
      'escape-html',
    ],
    'import-export': ['wire', 'domain'],
    store: ['domain', 'command-name'],
    'store/sqlite': ['store', 'domain', 'command-name'],
    'store/postgres': ['store', 'domain', 'command-name'],
    limiter: ['domain'],
    webhooks: ['outgoing', 'domain', 'texts', 'node-http', 'png'],
    'chat-platform': ['outgoing', 'domain', 'node-http', 'png'],
    outgoing: ['domain', 'node-http'],
    wire: ['key-terms', 'texts'],
    domain: ['key-terms', 'texts'],
    version: [],
    'command-name': [],
    'key-terms': [],
    texts: [],
    'node-http': [],
    png: [],
    'escape-html': [],
  },
  onlyBuiltIns: ['domain', 'texts', 'demo/sample-data'],
  outside: {},
};

// `texts`, the language of the pages, imports no other folder. Requests and components import it, and not one another. `access` imports both: who is signed in,
// which guild is open, and what is shown when it cannot be. Each feature imports these three; `overview` also shows
// parts of other features, `records` the part of the audit log that is a record's history, `people` a person's history and account,
// the pages with money the forms of `acting`, and `requests` the words of `keys`. `imports` is the dialog for CSV files. `app` puts the features together.
const SHARED = ['access', 'api', 'components', 'texts'];
const FEATURES = [
  'acting',
  'audit',
  'commands',
  'docs',
  'guilds',
  'imports',
  'keys',
  'ledger',
  'overview',
  'people',
  'receipt',
  'records',
  'requests',
  'roles',
  'settings',
  'webhooks',
  'sign-in',
];
const BELOW_APP = [...FEATURES, 'charts', ...SHARED];

export const DASHBOARD_RULES: ImportRules = {
  mayImport: {
    main: ['app', ...BELOW_APP],
    app: BELOW_APP,
    overview: ['audit', 'keys', 'webhooks', 'charts', ...SHARED],
    acting: ['imports', ...SHARED],
    imports: SHARED,
    ledger: ['acting', 'charts', 'receipt', ...SHARED],
    audit: SHARED,
    commands: SHARED,
    docs: SHARED,
    guilds: SHARED,
    keys: ['charts', ...SHARED],
    people: ['acting', 'audit', 'imports', 'ledger', ...SHARED],
    receipt: SHARED,
    records: ['audit', 'imports', ...SHARED],
    requests: ['charts', 'keys', ...SHARED],
    roles: SHARED,
    settings: SHARED,
    webhooks: SHARED,
    'sign-in': SHARED,
    charts: ['api', 'components', 'texts'],
    access: ['api', 'components', 'texts'],
    api: ['texts'],
    components: ['texts'],
    texts: [],
    boot: [],
  },
  onlyBuiltIns: [],
  outside: {
    api: '../../server/src/wire/',
    boot: '../../server/src/texts/',
    receipt: '../../client/src/',
    texts: '../../server/src/texts/',
  },
};

/** The layer of a file, the longest that fits: `store/sqlite/open.ts` is of `store/sqlite`, `main.ts` of `main`. */
export function layerOf(file: string, { mayImport }: ImportRules): string | undefined {
  const name = file.replace(/\.tsx?$/, '');
  const fitting = Object.keys(mayImport).filter((layer) => name === layer || name.startsWith(`${layer}/`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** Every import that goes the wrong way, in words. */
export function findForbiddenImports(graph: ImportGraph, rules: ImportRules): string[] {
  const complaints: string[] = [];
  for (const [file, imports] of graph) {
    const layer = layerOf(file, rules);
    if (layer === undefined) {
      complaints.push(`${file} belongs to no layer`);
      continue;
    }
    for (const imported of imports) {
      const complaint = graph.has(imported)
        ? complaintAboutLayer(layer, layerOf(imported, rules), rules)
        : complaintAboutOutside(layer, imported, rules);
      if (complaint !== undefined) {
        complaints.push(`${file} imports ${imported}: ${complaint}`);
      }
    }
  }
  return complaints;
}

function complaintAboutLayer(
  layer: string,
  imported = 'none',
  { mayImport }: ImportRules,
): string | undefined {
  const isAllowed = imported === layer || mayImport[layer]?.includes(imported);
  return isAllowed ? undefined : `${layer} must not know of ${imported}`;
}

function complaintAboutOutside(layer: string, imported: string, rules: ImportRules): string | undefined {
  const folder = rules.outside[layer];
  if (folder !== undefined && imported.startsWith(folder)) {
    return undefined;
  }
  if (imported.startsWith('.') || /\.tsx?$/.test(imported)) {
    return 'there is no such file in the tree';
  }
  const isBuiltIn = imported.startsWith('node:');
  return rules.onlyBuiltIns.includes(layer) && !isBuiltIn ? `${layer} needs nothing from outside` : undefined;
}
