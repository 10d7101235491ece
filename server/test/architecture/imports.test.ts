import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildGraph, findCycles, importsOf, readSources } from './import-graph.ts';
import { findForbiddenImports, layerOf, SERVER_RULES } from './layers.ts';
import { hasDefaultExport, importsNodeHttp, LINES_MAX, linesOf } from './source-form.ts';

describe('the server’s source', () => {
  const sources = readSources(fileURLToPath(new URL('../../src/', import.meta.url)));
  const graph = buildGraph(sources);

  it('is all there to be looked at', () => {
    expect(graph.size).toBeGreaterThan(40);
    expect(graph.get('main.ts')).toEqual(['cli/run.ts']);
    expect(graph.get('store/sqlite/writer-thread.ts')).toContain('store/sqlite/writer.ts');
    expect(graph.get('limiter/memory.ts')).toEqual(['domain/ports.ts']);
  });

  it('imports in one direction only', () => {
    expect(findForbiddenImports(graph, SERVER_RULES)).toEqual([]);
  });

  it('reaches the try-out chat platform from the demo command alone, so that serving can never enable it', () => {
    const importers = [...graph].filter(([, imports]) => imports.includes('demo/platform/platform.ts'));
    expect(importers.map(([file]) => file)).toEqual(['cli/demo.ts']);
  });

  it('has no import cycles, types counted', () => {
    expect(findCycles(graph)).toEqual([]);
  });

  it(`has no file above ${LINES_MAX} lines`, () => {
    const long = Object.entries(sources)
      .map(([file, source]) => ({ file, lines: linesOf(source) }))
      .filter(({ lines }) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('takes Node’s HTTP from the one place that loads no more than is needed', () => {
    const files = Object.entries(sources).filter(([, source]) => importsNodeHttp(source));
    expect(files.map(([file]) => file)).toEqual([]);
    expect(graph.get('http/http-server.ts')).toContain('node-http.ts');
  });

  it('exports by name only', () => {
    const files = Object.entries(sources).filter(([, source]) => hasDefaultExport(source));
    expect(files.map(([file]) => file)).toEqual([]);
  });
});

it.each(['server/test', 'dashboard/test', 'client/test', 'e2e', 'scripts', 'bench'])(
  `no file of %s is above ${LINES_MAX} lines`,
  (folder) => {
    const sources = readSources(fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)));
    expect(Object.keys(sources)).not.toEqual([]);
    const long = Object.entries(sources).filter(
      ([file, source]) => file.endsWith('.ts') && linesOf(source) > LINES_MAX,
    );
    expect(long.map(([file]) => file)).toEqual([]);
  },
);

describe('the check sees', () => {
  it.each([
    ["import { a } from './a.ts';", './a.ts'],
    ["import type { A } from './a.ts';", './a.ts'],
    ["import { type A, b } from '../x/a.ts';", '../x/a.ts'],
    ["import {\n  a,\n  b,\n} from './a.ts';", './a.ts'],
    ["import * as a from './a.ts';", './a.ts'],
    ['import a, { b } from "./a.ts";', './a.ts'],
    ["import './a.ts';", './a.ts'],
    ["export { a } from './a.ts';", './a.ts'],
    ["export * from './a.ts';", './a.ts'],
    ["export type { A } from './a.ts';", './a.ts'],
    ["const a = await import('./a.ts');", './a.ts'],
    ["type A = import('./a.ts').A;", './a.ts'],
    ["new Worker(new URL('./a.ts', import.meta.url));", './a.ts'],
    ["import fs from 'node:fs';", 'node:fs'],
    ["import { pino } from 'pino';", 'pino'],
    ["/* why */ import { a } from './a.ts'; // because", './a.ts'],
    ["const url = 'http://x'; import { a } from './a.ts';", './a.ts'],
  ])('the import in %j', (source, name) => {
    expect(importsOf(source)).toEqual([name]);
  });

  it.each([
    "// import { a } from './a.ts';",
    "/* import './a.ts' */",
    "const text = 'we import goods from afar';",
    'export const from = 1;',
    "new URL('./migrations/', import.meta.url);",
  ])('no import in %j', (source) => {
    expect(importsOf(source)).toEqual([]);
  });

  it('two imports that follow one another as two', () => {
    const source =
      "import { a } from './a.ts';\nimport type { B } from './b.ts';\nexport { c } from './c.ts';";
    expect(importsOf(source)).toEqual(['./a.ts', './b.ts', './c.ts']);
  });

  it.each([
    ['export default 1;', true],
    ['const a = 1;\nexport { a as default };', true],
    ['export const defaultPlan = 1;', false],
    ['export { a };', false],
  ])('in %j a default export: %s', (source, expected) => {
    expect(hasDefaultExport(source)).toBe(expected);
  });

  it.each([
    ["import { createServer, type Server } from 'node:http';", true],
    ["import http from 'node:http';", true],
    ["import {\n  request,\n} from 'node:https';", true],
    ["import 'http';", true],
    ["import type { Server } from 'node:http';", false],
    ["import { http } from '../node-http.ts';", false],
    ["import type { Agent } from 'node:https';\nimport { isIP } from 'node:net';", false],
  ])('whether Node’s HTTP is imported: %j', (source, expected) => {
    expect(importsNodeHttp(source)).toBe(expected);
  });

  it('how long a file is, whether or not it ends with a line break', () => {
    expect(linesOf('a\nb\nc\n')).toBe(3);
    expect(linesOf('a\nb\nc')).toBe(3);
  });
});

describe('the check of directions', () => {
  /** The complaints about a tree in which `importer` imports `imported`. */
  function complaintsAbout(importer: string, imported: string): string[] {
    const isPackage = !imported.endsWith('.ts');
    const up = '../'.repeat(importer.split('/').length - 1) || './';
    const sources = { [importer]: `import { x } from '${isPackage ? imported : up + imported}';` };
    const graph = buildGraph(isPackage ? sources : { ...sources, [imported]: '' });
    return findForbiddenImports(graph, SERVER_RULES);
  }

  it.each([
    ['domain/ledger.ts', 'http/server.ts'],
    ['domain/ledger.ts', 'wire/ledger.ts'],
    ['domain/ledger.ts', 'store/operations/migrate.ts'],
    ['domain/ledger.ts', 'config.ts'],
    ['domain/ledger.ts', 'pino'],
    ['wire/ledger.ts', 'domain/model.ts'],
    ['wire/ledger.ts', 'http/server.ts'],
    ['http/server.ts', 'store/operations/migrate.ts'],
    ['http/server.ts', 'store/sqlite/open.ts'],
    ['http/server.ts', 'limiter/memory.ts'],
    ['http/server.ts', 'compose.ts'],
    ['http/server.ts', 'config.ts'],
    ['http/routes/ledger.ts', 'chat-platform/oauth.ts'],
    ['store/sqlite/open.ts', 'store/postgres/open.ts'],
    ['store/postgres/open.ts', 'store/sqlite/open.ts'],
    ['store/sqlite/open.ts', 'http/metrics.ts'],
    ['store/sqlite/open.ts', 'wire/text.ts'],
    ['store/operations/migrate.ts', 'store/sqlite/open.ts'],
    ['store/operations/migrate.ts', 'limiter/memory.ts'],
    ['limiter/redis.ts', 'store/operations/migrate.ts'],
    ['chat-platform/oauth.ts', 'http/server.ts'],
    ['demo/sample-data/index.ts', 'store/operations/migrate.ts'],
    ['demo/sample-data/index.ts', 'wire/text.ts'],
    ['demo/sample-data/index.ts', 'pino'],
    ['config.ts', 'http/server.ts'],
    ['config.ts', 'compose.ts'],
    ['compose.ts', 'cli/run.ts'],
    ['compose.ts', 'demo/sample-store.ts'],
    ['http/server.ts', 'demo/sample-data/index.ts'],
    ['chat-platform/oauth.ts', 'demo/platform/platform.ts'],
    ['demo/platform/platform.ts', 'demo/sample-store.ts'],
    ['demo/sample-store.ts', 'demo/platform/platform.ts'],
    ['demo/sample-store.ts', 'cli/operator.ts'],
    ['cli/run.ts', 'main.ts'],
  ])('reports %s importing %s', (importer, imported) => {
    expect(complaintsAbout(importer, imported)).toEqual([
      expect.stringContaining(`${importer} imports ${imported}`),
    ]);
  });

  it.each([
    ['main.ts', 'cli/run.ts'],
    ['cli/serve.ts', 'compose.ts'],
    ['cli/run.ts', 'http/error-reply.ts'],
    ['cli/run.ts', 'wire/text.ts'],
    ['cli/demo.ts', 'demo/sample-data/index.ts'],
    ['cli/demo.ts', 'config.ts'],
    ['compose.ts', 'config.ts'],
    ['compose.ts', 'store/sqlite/open.ts'],
    ['compose.ts', 'store/postgres/open.ts'],
    ['compose.ts', 'limiter/redis.ts'],
    ['config.ts', 'domain/model.ts'],
    ['http/routes/ledger.ts', 'wire/ledger.ts'],
    ['http/routes/ledger.ts', 'http/guard.ts'],
    ['store/sqlite/open.ts', 'store/operations/migrate.ts'],
    ['store/sqlite/open.ts', 'store/access/keys.ts'],
    ['store/batch-queue.ts', 'domain/errors.ts'],
    ['limiter/redis.ts', 'limiter/memory.ts'],
    ['demo/sample-data/index.ts', 'domain/model.ts'],
    ['domain/ledger.ts', 'domain/model.ts'],
    ['domain/ledger.ts', 'node:crypto'],
    ['http/router.ts', 'find-my-way'],
  ])('lets %s import %s', (importer, imported) => {
    expect(complaintsAbout(importer, imported)).toEqual([]);
  });

  it('reports a file outside of all layers, and an import of what is not there', () => {
    expect(findForbiddenImports(buildGraph({ 'helpers/all.ts': '' }), SERVER_RULES)).toEqual([
      'helpers/all.ts belongs to no layer',
    ]);
    const lost = buildGraph({ 'http/server.ts': "import '../../elsewhere.ts';" });
    expect(findForbiddenImports(lost, SERVER_RULES)).toEqual([
      'http/server.ts imports ../elsewhere.ts: there is no such file in the tree',
    ]);
  });

  it('takes a file for the nearest of its layers', () => {
    const files = [
      'main.ts',
      'cli/run.ts',
      'store/operations/migrate.ts',
      'store/sqlite/open.ts',
      'mainly.ts',
    ];
    expect(files.map((file) => layerOf(file, SERVER_RULES))).toEqual([
      'main',
      'cli',
      'store',
      'store/sqlite',
      undefined,
    ]);
  });
});

describe('the check of cycles', () => {
  const cyclesOf = (sources: Record<string, string>) => findCycles(buildGraph(sources));

  it('reports a cycle once, whoever begins, for types too', () => {
    const sources = {
      'c.ts': "import type { A } from './a.ts';",
      'a.ts': "import { b } from './b.ts';",
      'b.ts': "export * from './c.ts';",
      'd.ts': "import { a } from './a.ts';",
    };
    expect(cyclesOf(sources)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });

  it('reports a file that imports itself, and several cycles at once', () => {
    const sources = {
      'a.ts': "import './a.ts';",
      'x/b.ts': "import '../x/c.ts';",
      'x/c.ts': "await import('./b.ts');",
    };
    expect(cyclesOf(sources)).toEqual([['a.ts'], ['x/b.ts', 'x/c.ts']]);
  });

  it('is content with shared parts that are reached on several ways', () => {
    const sources = {
      'a.ts': "import './b.ts'; import './c.ts';",
      'b.ts': "import './d.ts';",
      'c.ts': "import './d.ts';",
      'd.ts': "import 'node:fs';",
    };
    expect(cyclesOf(sources)).toEqual([]);
  });
});
