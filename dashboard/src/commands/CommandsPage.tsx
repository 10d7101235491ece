import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconKey, IconSearchOff, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useCommandLine } from '../access/use-command-line.ts';
import { type Command, catalogueQuery } from '../api/commands.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { SearchInput } from '../components/SearchInput.tsx';
import { CommandRow } from './CommandRow.tsx';
import classes from './CommandsPage.module.css';
import {
  type CatalogueView,
  catalogueAddress,
  commandInHash,
  countByCategory,
  groupCommands,
} from './catalogue.ts';

export function CommandsPage() {
  return (
    <>
      <PageHeading title={t`Commands`}>
        <Trans>What the chat bot of this community understands.</Trans>
      </PageHeading>
      <Catalogue />
    </>
  );
}

function Catalogue() {
  const commandLine = useCommandLine();
  const query = useQuery(catalogueQuery);
  if (query.isPending) return <RowsSkeleton />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title={t`The commands could not be loaded`}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (query.data.isLocked) {
    return (
      <EmptyState icon={<IconKey size={28} stroke={1.6} />} title={t`A key is needed to read the commands`}>
        <Trans>
          The operator of this service shows the catalogue only to callers with an API key. With one, you can
          read it in the <a href="/docs">API reference</a>.
        </Trans>
      </EmptyState>
    );
  }
  if (query.data.commands.length === 0) {
    return (
      <EmptyState icon={<IconTerminal2 size={28} stroke={1.6} />} title={t`No commands yet`}>
        <Trans>
          The operator adds them with <code>{commandLine('import commands <file>')}</code>.
        </Trans>
      </EmptyState>
    );
  }
  return <CommandList commands={query.data.commands} />;
}

function CommandList({ commands }: { commands: Command[] }) {
  const [parameters] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const view = { category: parameters.get('category') ?? '', search: parameters.get('q') ?? '' };
  const { category, search } = view;
  const groups = useMemo(() => groupCommands(commands, { category, search }), [commands, category, search]);
  const shownCount = groups.reduce((sum, group) => sum + group.commands.length, 0);
  const target = commandInHash(hash);
  const setSearch = (text: string) =>
    navigate(catalogueAddress({ category, search: text }), { replace: true, preventScrollReset: true });
  return (
    <>
      <div className={classes.tools}>
        <SearchInput label={t`Search commands`} value={search} onChange={setSearch} />
        <p className={classes.count} role="status">
          {shownCount === commands.length
            ? plural(commands.length, { one: '# command', other: '# commands' })
            : t`${shownCount} of ${commands.length}`}
        </p>
      </div>
      <Categories commands={commands} view={view} />
      {groups.length === 0 && (
        <EmptyState
          icon={<IconSearchOff size={28} stroke={1.6} />}
          title={
            search.trim() === '' ? t`No commands in this category` : t`No command matches “${search.trim()}”`
          }
        >
          <p>
            <Trans>
              Search looks at names, categories and help texts. <Link to="/commands">Show all commands</Link>
            </Trans>
          </p>
        </EmptyState>
      )}
      {groups.map((group) => (
        <section key={group.category} className={classes.group}>
          <h2 className={classes.category} dir="auto">
            {group.category}
          </h2>
          <ul className={classes.list}>
            {group.commands.map((command) => (
              <CommandRow key={command.name} command={command} isTarget={command.name === target} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Categories({ commands, view }: { commands: Command[]; view: CatalogueView }) {
  const counts = useMemo(() => countByCategory(commands), [commands]);
  const all = { category: '', label: t({ message: 'All', context: 'commands' }), count: commands.length };
  const choices = [all, ...counts.map(({ category, count }) => ({ category, label: category, count }))];
  const isChosen = (category: string) => category.toLowerCase() === view.category.toLowerCase();
  return (
    <nav aria-label={t`Categories`}>
      <ul className={classes.categories}>
        {choices.map(({ category, label, count }) => (
          <li key={category}>
            <Link
              to={catalogueAddress({ category, search: view.search })}
              preventScrollReset
              className={classes.choice ?? ''}
              aria-current={isChosen(category) ? 'true' : undefined}
            >
              <bdi>{label}</bdi> <span className={classes.choiceCount}>{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
