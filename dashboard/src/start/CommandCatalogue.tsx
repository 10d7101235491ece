import { IconKey, IconSearchOff, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingState } from '../components/LoadingState.tsx';
import { SearchInput } from '../components/SearchInput.tsx';
import classes from './CommandCatalogue.module.css';
import { type Command, fetchCatalogue, groupCommands } from './commands.ts';

export function CommandCatalogue() {
  const query = useQuery({ queryKey: ['commands'], queryFn: fetchCatalogue });
  if (query.isPending) return <LoadingState label="Loading the commands" />;
  if (query.isError) {
    return (
      <ErrorState
        title="The commands could not be loaded"
        detail={query.error.message}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (query.data.isLocked) {
    return (
      <EmptyState icon={<IconKey size={28} stroke={1.6} />} title="A key is needed to read the commands">
        The operator of this service shows the catalogue only to callers with an API key. With one, you can
        read it in the <a href="/docs">API reference</a>.
      </EmptyState>
    );
  }
  if (query.data.commands.length === 0) {
    return (
      <EmptyState icon={<IconTerminal2 size={28} stroke={1.6} />} title="No commands yet">
        The operator adds them with <code>npx guildbook import commands &lt;file&gt;</code>.
      </EmptyState>
    );
  }
  return <CommandList commands={query.data.commands} />;
}

function CommandList({ commands }: { commands: Command[] }) {
  const [search, setSearch] = useState('');
  const groups = useMemo(() => groupCommands(commands, search), [commands, search]);
  const shownCount = groups.reduce((sum, group) => sum + group.commands.length, 0);
  return (
    <>
      <div className={classes.tools}>
        <SearchInput label="Search commands" value={search} onChange={setSearch} />
        <p className={classes.count} role="status">
          {search.trim() === '' ? `${commands.length} in all` : `${shownCount} of ${commands.length}`}
        </p>
      </div>
      {groups.length === 0 && (
        <EmptyState
          icon={<IconSearchOff size={28} stroke={1.6} />}
          title={`No command matches “${search.trim()}”`}
        >
          Search looks at names, categories and help texts.
        </EmptyState>
      )}
      {groups.map((group) => (
        <section key={group.category} className={classes.group}>
          <h3 className={classes.category}>{group.category}</h3>
          <ul className={classes.list}>
            {group.commands.map((command) => (
              <CommandRow key={command.name} command={command} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function CommandRow({ command }: { command: Command }) {
  const hasMore = command.extendedHelp !== '' || command.preconditions.length > 0;
  const line = (
    <>
      <code className={classes.name}>{command.name}</code>
      <span className={classes.description}>{command.description}</span>
    </>
  );
  if (!hasMore) return <li className={classes.row}>{line}</li>;
  return (
    <li>
      <details className={classes.details}>
        <summary className={classes.row}>{line}</summary>
        <div className={classes.more}>
          {command.extendedHelp !== '' && <p className={classes.help}>{command.extendedHelp}</p>}
          {command.preconditions.length > 0 && (
            <p className={classes.conditions}>Needs: {command.preconditions.join(', ')}</p>
          )}
        </div>
      </details>
    </li>
  );
}
