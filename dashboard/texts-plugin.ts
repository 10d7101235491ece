import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type PluginItem, transformAsync } from '@babel/core';
import macro from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import type { Plugin } from 'vite';
import { inlineMessages } from './inline-messages.ts';
import userConfig from './lingui.config.ts';
import { completeLanguages, type Texts } from './read-catalogues.ts';

const root = import.meta.dirname;
const sources = join(root, 'src');
const linguiConfig = makeConfig(userConfig, { skipValidation: true });
/** An `import()` of our own code. */
const ownImport = /\bimport\('(\.[^']+\.tsx?)'\)/;
const macroImport = /from '@lingui\/(?:core|react)\/macro'/;

/**
 * The texts of the pages. English is in the code: each message is compiled where it stands, with its id. For every other complete
 * language the build writes one file for each page and for each `import()`, with the texts of the code that it loads, and the code
 * waits for both (`src/texts/load-texts.ts`).
 */
export function texts(): Plugin {
  let languages = new Map<string, Texts>();
  const idsOf = new Map<string, ReadonlySet<string>>();
  const version = versionOf();
  let isBuild = false;
  return {
    name: 'texts',
    enforce: 'pre',
    async config(_config, { command }) {
      isBuild = command === 'build';
      if (process.env.VITEST === undefined) languages = await completeLanguages();
      return {
        define: {
          __TEXT_LANGUAGES__: JSON.stringify(['en', ...languages.keys()]),
          __TEXT_VERSION__: JSON.stringify(version),
        },
      };
    },
    transform: {
      filter: { id: /\/dashboard\/src\/.*\.tsx?$/, code: [macroImport, ownImport] },
      async handler(code, id) {
        const loading = isBuild ? addLoads(code, id) : code;
        if (!macroImport.test(code)) return loading === code ? null : { code: loading, map: null };
        const ids = new Set<string>();
        idsOf.set(id, ids);
        return compile({ code: loading, filename: id, ids, sourceMaps: !isBuild });
      },
    },
    generateBundle() {
      const importsOf = (id: string) => this.getModuleInfo(id);
      for (const [unit, modules] of unitsOf([...this.getModuleIds()], importsOf)) {
        const ids = new Set([...modules].flatMap((module) => [...(idsOf.get(module) ?? [])]));
        for (const [language, all] of languages) {
          const fileName = `assets/${unit}.${language}-${version}.json`;
          this.emitFile({ type: 'asset', fileName, source: JSON.stringify(pick(all, ids)) });
        }
      }
    },
    configureServer(server) {
      // During development every file has all texts of its language.
      server.middlewares.use((request, response, next) => {
        const [, language = ''] = /\/assets\/[^/]+\.([\w-]+)-[^-]+\.json$/.exec(request.url ?? '') ?? [];
        const all = languages.get(language);
        if (all === undefined) return next();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(all));
      });
    },
  };
}

interface Compilation {
  code: string;
  filename: string;
  /** Gets the ids of the messages. */
  ids: Set<string>;
  sourceMaps: boolean;
}

async function compile({ code, filename, ids, sourceMaps }: Compilation) {
  const plugins: PluginItem[] = [
    [macro, { linguiConfig, descriptorFields: 'message' }],
    [inlineMessages, { ids }],
  ];
  const result = await transformAsync(code, {
    filename,
    plugins,
    parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    babelrc: false,
    configFile: false,
    sourceMaps,
  });
  if (!result?.code) throw new Error(`${filename} could not be compiled`);
  return { code: result.code, map: result.map ?? null };
}

function addLoads(code: string, id: string): string {
  const loading = code.replace(
    new RegExp(ownImport, 'g'),
    (whole, path: string) => `withTexts(${whole}, '${unitOf(join(id, '..', path))}')`,
  );
  return loading === code ? code : `import { withTexts } from '#texts/load-texts.ts';${loading}`;
}

/** The name of the file with the texts of a module that is loaded later. */
function unitOf(module: string): string {
  return basename(module).replace(/\.tsx?$/, '');
}

interface Imports {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** The pages, and everything that `import()` loads, with the modules that each adds to its page. */
function unitsOf(
  modules: readonly string[],
  importsOf: (id: string) => Imports | null,
): Map<string, ReadonlySet<string>> {
  const units = new Map<string, ReadonlySet<string>>();
  for (const page of modules.filter((id) => id.endsWith('.html'))) {
    const first = reach([page], importsOf, new Set());
    units.set(basename(page, '.html'), first);
    const waiting = [...first];
    const seen = new Set<string>();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      for (const loaded of importsOf(id)?.dynamicallyImportedIds ?? []) {
        if (seen.has(loaded) || relative(sources, loaded).startsWith('..')) continue;
        seen.add(loaded);
        const added = reach([loaded], importsOf, first);
        units.set(unitOf(loaded), added.union(units.get(unitOf(loaded)) ?? new Set()));
        waiting.push(...added);
      }
    }
  }
  return units;
}

/** All modules that these import, directly or not, except those that are loaded already. */
function reach(
  from: readonly string[],
  importsOf: (id: string) => Imports | null,
  loaded: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id) || loaded.has(id)) continue;
    reached.add(id);
    waiting.push(...(importsOf(id)?.importedIds ?? []));
  }
  return reached;
}

function pick(all: Texts, ids: ReadonlySet<string>): Texts {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id)));
}

/** Changes with the texts and with the code, which decides what each file has. */
function versionOf(): string {
  const hash = createHash('sha256');
  for (const file of globSync(['src/**/*.{ts,tsx}', 'locales/*.po'], { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('base64url').replace(/[-_]/g, '').slice(0, 8);
}
