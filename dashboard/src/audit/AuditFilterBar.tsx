import { plural, t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Actor, type AuditKind, auditActions } from '../api/audit.ts';
import { DateRangeField } from '../components/DateRangeField.tsx';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
import type { SearchFilters } from '../components/use-search-filters.ts';
import { type AuditView, auditRange, guildKinds } from './audit-filters.ts';
import { actionLabels, actorName, actorText, kindLabels } from './audit-words.ts';

interface AuditFilterBarProps {
  filters: SearchFilters<AuditView>;
  actors: Actor[];
  /** The kinds of entries that the person may see. */
  kinds: readonly AuditKind[];
  shownCount: number;
  nowMs: number;
  actions: ReactNode;
}

export function AuditFilterBar({ filters, actors, kinds, shownCount, nowMs, actions }: AuditFilterBarProps) {
  const { values, change, narrowedBy, clear } = filters;
  const status = plural(shownCount, { one: '# entry on this page', other: '# entries on this page' });
  return (
    <FilterBar status={status} narrowedBy={narrowedBy} onClear={clear} actions={actions}>
      <NativeSelect
        label={t({ message: 'Who', context: 'who made a change' })}
        data={actorChoices(actors, values.actor)}
        value={values.actor}
        onChange={(event) => change({ actor: event.currentTarget.value })}
      />
      <NativeSelect
        label={t`What`}
        data={[
          { value: '', label: t`Anything` },
          ...guildKinds
            .filter((kind) => kinds.includes(kind))
            .map((kind) => ({ value: kind, label: kindLabels()[kind] })),
        ]}
        value={values.kind}
        onChange={(event) =>
          change({
            kind: guildKinds.find((kind) => kind === event.currentTarget.value) ?? '',
            // A subject's id has a meaning only with its kind.
            subject: '',
          })
        }
      />
      {values.kind !== '' && (
        <FilterText
          label={t`Id`}
          placeholder={t`Any`}
          value={values.subject}
          onChange={(subject, applied) => change({ subject }, applied)}
        />
      )}
      <NativeSelect
        label={t`Action`}
        data={[
          { value: '', label: t`Any action` },
          ...auditActions.map((action) => ({ value: action, label: actionLabels()[action] })),
        ]}
        value={values.action}
        onChange={(event) =>
          change({ action: auditActions.find((action) => action === event.currentTarget.value) ?? '' })
        }
      />
      <DateRangeField
        label={t`Date range`}
        range={auditRange(values, nowMs)}
        nowMs={nowMs}
        onChange={change}
      />
    </FilterBar>
  );
}

/** All actors of the log, and the one in the address even if the log has no entry of theirs. */
function actorChoices(actors: Actor[], chosen: string): { value: string; label: string }[] {
  const choices = actors.map((actor) => ({ value: actorText(actor), label: actorName(actor) }));
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return [
    { value: '', label: t`Everybody` },
    ...choices,
    ...(isListed ? [] : [{ value: chosen, label: chosen }]),
  ];
}
