import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildGraph, findCycles, readSources } from './import-graph.ts';
import { DASHBOARD_RULES, findForbiddenImports } from './layers.ts';
import { hasDefaultExport, LINES_MAX, linesOf } from './source-form.ts';

describe('the dashboard’s source', () => {
  const sources = readSources(fileURLToPath(new URL('../../../dashboard/src/', import.meta.url)));
  const graph = buildGraph(sources);

  it('is all there to be looked at', () => {
    expect(graph.size).toBeGreaterThan(200);
    expect(graph.get('main.tsx')).toContain('app/App.tsx');
    expect(graph.get('app/page-imports.ts')).toContain('overview/OverviewPage.tsx');
    expect(graph.get('keys/PlanDialog.tsx')).toContain('access/GuildSetup.tsx');
    expect(graph.get('keys/IssuedKeyDialog.tsx')).toContain('keys/Dialogs.module.css');
  });

  it('imports in one direction only', () => {
    expect(findForbiddenImports(graph, DASHBOARD_RULES)).toEqual([]);
  });

  it('has no import cycles, types counted', () => {
    expect(findCycles(graph)).toEqual([]);
  });

  it('takes types from the server and the files about languages, which import nothing; other code must not reach the browser', () => {
    const shared = ['find-language.ts', 'language.ts'];
    const folder = fileURLToPath(new URL('../../src/texts/', import.meta.url));
    expect(
      shared.filter((file) => /^(?:import|export .* from) /m.test(readFileSync(folder + file, 'utf8'))),
    ).toEqual([]);
    const fromServer = Object.values(sources).flatMap(
      (source) => source.match(/^.*\/server\/src\/.*$/gm) ?? [],
    );
    expect(fromServer.length).toBeGreaterThan(0);
    const isAllowed = (line: string) =>
      line.startsWith('import type ') || shared.some((file) => line.endsWith(`/server/src/texts/${file}';`));
    expect(fromServer.filter((line) => !isAllowed(line))).toEqual([]);
  });

  it(`has no file above ${LINES_MAX} lines`, () => {
    const files = Object.entries(sources).filter(([, source]) => linesOf(source) > LINES_MAX);
    expect(files.map(([file]) => file)).toEqual([]);
  });

  it('exports by name only', () => {
    const files = Object.entries(sources).filter(([, source]) => hasDefaultExport(source));
    expect(files.map(([file]) => file)).toEqual([]);
  });
});

describe('the check of the dashboard’s directions', () => {
  /** The complaints about a tree in which `importer` imports `imported`. */
  function complaintsAbout(importer: string, imported: string): string[] {
    const graph = buildGraph({ [importer]: `import { x } from '../${imported}';`, [imported]: '' });
    return findForbiddenImports(graph, DASHBOARD_RULES);
  }

  it.each([
    ['api/keys.ts', 'components/time.ts'],
    ['api/keys.ts', 'app/App.tsx'],
    ['components/Money.tsx', 'api/players.ts'],
    ['components/Money.tsx', 'ledger/LedgerPage.tsx'],
    ['access/Loaded.tsx', 'app/RequireGuild.tsx'],
    ['charts/TurnoverBars.tsx', 'overview/buckets.ts'],
    ['keys/KeysPage.tsx', 'app/RequireGuild.tsx'],
    ['keys/KeysPage.tsx', 'overview/OverviewPage.tsx'],
    ['records/RecordsPage.tsx', 'ledger/Ledger.module.css'],
    ['audit/AuditPage.tsx', 'records/RecordsPage.tsx'],
  ])('reports %s importing %s', (importer, imported) => {
    expect(complaintsAbout(importer, imported)).toEqual([
      expect.stringContaining(`${importer} imports ${imported}`),
    ]);
  });

  it.each([
    ['app/App.tsx', 'ledger/LedgerPage.tsx'],
    ['app/Shell.tsx', 'components/PageHeader.tsx'],
    ['overview/ExpiringKeys.tsx', 'keys/key-list.ts'],
    ['ledger/PlayerAccount.tsx', 'charts/BalanceArea.tsx'],
    ['keys/KeysPage.tsx', 'access/Loaded.tsx'],
    ['access/Loaded.tsx', 'api/request.ts'],
    ['charts/balance-points.ts', 'api/players.ts'],
  ])('lets %s import %s', (importer, imported) => {
    expect(complaintsAbout(importer, imported)).toEqual([]);
  });

  it('lets the requests, and nobody else, import the wire schemas', () => {
    const wire = "import type * as wire from '../../../server/src/wire/dashboard.ts';";
    const domain = "import type { Guild } from '../../../server/src/domain/model.ts';";
    const complaintsOf = (file: string, source: string) =>
      findForbiddenImports(buildGraph({ [file]: source }), DASHBOARD_RULES);
    expect(complaintsOf('api/replies.ts', wire)).toEqual([]);
    expect(complaintsOf('api/replies.ts', domain)).toHaveLength(1);
    expect(complaintsOf('keys/key-list.ts', wire)).toHaveLength(1);
  });
});
