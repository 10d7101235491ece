import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import mantinePreset from 'postcss-preset-mantine';
import { defineConfig, type IndexHtmlTransformContext, type Plugin } from 'vite';
import { replyChecks } from './reply-checks.ts';
import { texts } from './texts-plugin.ts';

const routerFolder = join(import.meta.dirname, '../node_modules/react-router/dist/production');
const bootFile = 'src/boot.ts';

// The colour scheme and the language have to be known before the first paint, and the content security policy allows no
// inline script. So the few lines that set them are built as a hashed file of their own and placed in the
// head as a classic script, which, unlike a module, runs before the page is painted.
function boot(): Plugin {
  let isBuild = false;
  return {
    name: 'boot',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: 'chunk', id: bootFile, name: 'boot' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        const address = addressOf(bundle, 'boot');
        const source = address ? { src: address } : { type: 'module', src: `/dashboard/${bootFile}` };
        const attrs = { ...source, 'data-page': basename(path, '.html') };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

// The first requests for data are sent by a small chunk that does not wait for the libraries: an `async` module runs as soon as it
// has arrived. The main script imports the same chunk.
function firstLoad(): Plugin {
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const address = addressOf(bundle, 'first');
        if (address === undefined || !html.includes(address)) return [];
        const attrs = { type: 'module', async: true, crossorigin: true, fetchpriority: 'high', src: address };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

function addressOf(bundle: IndexHtmlTransformContext['bundle'], name: string): string | undefined {
  const chunk = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === name);
  return chunk && `/dashboard/${chunk.fileName}`;
}

/** Parts of Mantine, by the names of their folders, and the packages behind them. */
const library = (names: string) => `@mantine[\\/]\\w+[\\/]esm[\\/]components[\\/](?:${names})[\\/]`;
const own = (names: string) => `[\\/]src[\\/]${names}`;
const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'));

// Modules of the first requests. They import no library but the one that gives texts their language, which is small.
const ofFirst = anyOf(
  own(
    'app[\\/](?:first-load|load-fonts|load-formats|first-view|page-imports|send-allowed|guild-place|known-calendars)\\.',
  ),
  own('api[\\/](?:first-answers|first-paths|guild-path|transaction-listing)\\.'),
  own('components[\\/](?:font-families|search-filters|time-zone|lazily|date-range|days|time)\\.'),
  own('texts[\\/](?:languages|load-texts|i18n)\\.'),
  '@lingui[\\/](?:core|message-utils)[\\/]',
  own('(?:ledger[\\/]ledger-filters|overview[\\/](?:overview-filters|range))\\.'),
);
// A few lines of several chunks, which load this one in any case.
const ofHelper = /preload-helper|find-element-in-shadow-dom|ScrollArea.utils.to-int|get-env/;
// The styles that most pages share are one file.
const ofFirstStyles = anyOf(
  '@mantine[\\/](?:core|notifications)[\\/].*\\.css',
  own('(?:components|app|access|charts)[\\/].*\\.css'),
  own('audit[\\/]ActorMark\\.module\\.css'),
);
// Modules that the reference loads at once and the dashboard only in some rooms.
const ofParts = anyOf(
  library('Textarea|PasswordInput|NativeSelect|Combobox|Drawer|Modal|ModalBase|ScrollArea'),
  'node_modules[\\/](?:react-remove-scroll|use-sidecar|react-style-singleton|use-callback-ref)',
  // These modules place and show menus, panels and hints. The dashboard loads them when the first one opens.
  '@floating-ui',
  library('Popover|Transition|FocusTrap|Overlay|Portal|CloseButton'),
  '@mantine[\\/]hooks[\\/]esm[\\/]use-(?:focus|click-outside)',
  '[Mm]arkdown',
);
const ofReference = anyOf(
  own('(?:api|docs|receipt)[\\/]'),
  'client[\\/]src[\\/]',
  'virtual:reply-checks',
  ofParts.source,
);
// Modules that the reference does without.
const ofDashboard = anyOf(
  'react-router',
  library('Menu'),
  own('(?:app|sign-in|keys)[\\/]'),
  own('access[\\/](?!use-command-line)'),
);
const ofReferencePage = new RegExp(own('docs[\\/](?!main\\.)'));
const ofEntries = /\.html|[\\/]src[\\/](?:main\.tsx|boot\.ts|texts[\\/]find-language\.ts)/;
const ofStart = anyOf(own('api[\\/]'), 'virtual:reply-checks');
// Modules that the reference shares with some rooms, beside the code of its examples.
const ofPanels = anyOf(library('Tabs'), 'get-safe-id', 'Icon(?:PlayerPlay|Send)\\.');
// Modules of nearly every room, then those that the first screen of a person adds, and those of lists and forms.
const ofRooms = anyOf(
  own('charts[\\/](?!BalanceArea|balance-spans|RequestBars)'),
  own('access[\\/](?:Loaded|UnknownGuild|use-guild|guild-texts|GuildSetup|PersonMark)\\.'),
  own(
    'components[\\/](?:Moment|Money|RoundedMoney|Figures|DateRangeField|PageHeading|EmptyState|Tag|Notice|CodeBlock|Segments)\\.',
  ),
  own(
    'components[\\/](?:use-now|use-search-filters|use-is-narrow|addresses|highlight|TimeZoneNote|CopyAction)\\.',
  ),
  own(
    '(?:overview[\\/](?:links|Overview)|components[\\/]language-formats|webhooks[\\/]webhook-state|api[\\/](?:webhooks|requests))\\.',
  ),
  own('(?:audit[\\/]ActorMark|keys[\\/](?:KeyFacts|key-list|key-usage|scopes))\\.'),
  library('InlineInput|Switch'),
  '@tabler',
);
// The words of the log, for its page, histories, and the lower half of the overview.
const ofAudit = anyOf(
  own('audit[\\/](?:audit-words|audit-sentences|audit-values|field-label|SentenceText)'),
  own('access[\\/](?:route-limit|event-labels|webhook-texts)'),
);
const ofPerson = anyOf(
  own('charts[\\/](?:BalanceArea|balance-spans)'),
  own('access[\\/](?:use-may|use-form-draft)\\.'),
  own('components[\\/](?:use-shown-record|IdTerm)\\.'),
  own(
    '(?:people[\\/](?:person-tabs|member-columns|People\\.module|Person\\.module|link-form)|acting[\\/]post-f)',
  ),
  own('ledger[\\/](?:floor-form|Ledger\\.module|Player\\.module|SourceMoney)'),
  own('api[\\/]statements\\.'),
);
const ofLists = anyOf(
  own(
    'components[\\/](?:Record|SortHeader|Filter|Pager|DetailDrawer|Facts|OrderSelect|SearchInput|use-draft)',
  ),
  own('components[\\/](?:use-shown-record|use-result-keys|result-keys|ordering|CopyAction)\\.'),
  own('access[\\/](?:use-may|use-form-draft|NotAllowed|use-guild-search)\\.'),
  own('(?:ledger[\\/](?:[a-z]|Ledger|Transaction|GuildTransactions)|api[\\/](?:preferences|search|members))'),
  library(
    'Combobox|Select|Autocomplete|Checkbox|Pagination|Drawer|ModalBase|ScrollArea|Overlay|NativeSelect',
  ),
  own('audit[\\/]RecordHistory'),
  own(
    '(?:access[\\/]FormModal|components[\\/](?:ShownOnce|FormButtons)|[a-z]+[\\/][A-Za-z]*Dialogs?\\.module)',
  ),
  '@mantine[\\/]form',
  library('Modal|Radio|Textarea|Text|SimpleGrid|Group'),
);

export default defineConfig({
  base: '/dashboard/',
  plugins: [texts(), react(), firstLoad(), boot(), replyChecks()],
  css: { postcss: { plugins: [mantinePreset()] } },
  resolve: {
    // The package names only its build for development, which checks and warns more.
    alias: [
      { find: /^react-router$/, replacement: join(routerFolder, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: join(routerFolder, 'dom-export.mjs') },
    ],
  },
  build: {
    outDir: '../server/pages',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // build.ts checks the sizes.
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Compiling the messages takes seconds, which is known.
      checks: { bundlerTimings: false },
      input: ['index.html', 'docs.html', 'receipt.html'],
      output: {
        codeSplitting: {
          // Both pages share these chunks. The libraries have their own, which stays in the cache when only our code changes.
          groups: [
            {
              name: 'first',
              test: anyOf(ofFirst.source, ofHelper.source, ofFirstStyles.source),
              priority: 6,
            },
            {
              name: 'libraries',
              tags: ['$initial'],
              minShareCount: 2,
              test: (id) => /node_modules.*\.m?js/.test(id) && !ofParts.test(id) && !ofDashboard.test(id),
              priority: 5,
            },
            // Modules that only rooms share are not in it, because they would enlarge the first page. Nor is the reference,
            // with the components that only it loads at once.
            {
              name: 'shared',
              tags: ['$initial'],
              minShareCount: 2,
              test: (id) => !ofReference.test(id) && !ofDashboard.test(id),
              priority: 4,
            },
            // The rest of what the dashboard needs at once, before rooms and lists take it along.
            {
              name: 'start',
              tags: ['$initial'],
              test: (id) => ofStart.test(id) || !(ofReference.test(id) || ofEntries.test(id)),
              priority: 3,
            },
            { name: 'parts', minShareCount: 2, test: ofParts, priority: 2 },
            { name: 'panels', minShareCount: 2, test: ofPanels, priority: 3 },
            // Each small file that some rooms share would be a request of its own.
            { name: 'rooms', minShareCount: 2, test: ofRooms, priority: 2 },
            { name: 'audit', minShareCount: 2, test: ofAudit, priority: 2 },
            { name: 'person', test: ofPerson, priority: 2 },
            { name: 'lists', minShareCount: 2, test: ofLists, priority: 1 },
            { name: 'reference', tags: ['$initial'], test: ofReferencePage, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // During development everything outside the pages comes from a service started beside it.
    proxy: { '^/(?!dashboard/)': 'http://127.0.0.1:3000' },
  },
});
