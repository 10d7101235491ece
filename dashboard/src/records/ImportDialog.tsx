import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { importRecords, type RecordBody } from '../api/records.ts';
import { groupCount } from '../components/money.ts';
import { CsvImport } from '../imports/CsvImport.tsx';
import { type CsvRow, importRowsMax } from '../imports/csv-file.ts';
import { importSummary, newId } from '../imports/outcomes.ts';
import { readImport } from './csv-rows.ts';
import type { RecordKind } from './record-kinds.ts';

interface ImportDialogProps {
  kind: RecordKind;
  guildId: string;
  onClose: () => void;
}

/** Adds the records of a CSV file. */
export function ImportDialog({ kind, guildId, onClose }: ImportDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const target = { session, guildId, path: kind.path };
  const bodiesOf = (rows: readonly CsvRow<RecordBody>[]) => rows.map(({ item }) => item);
  return (
    <CsvImport
      title={kind.texts.importAll}
      help={
        <Trans>
          A CSV file as “Export CSV” writes it, with at most {groupCount(importRowsMax)} records. The first
          line names the fields:{' '}
          <code>{['id', ...kind.fields.map(({ name }) => name), 'date'].join(', ')}</code>. Without an id one
          is made.
        </Trans>
      }
      label={(count) => (count === 0 ? t`Import` : kind.texts.importCount(count))}
      headings={[t`Name`, t`Player id`, t`Date`]}
      questions={[
        {
          id: 'overwrite',
          label: (count) =>
            plural(count, {
              one: 'Replace the one that is there already',
              other: 'Replace the # that are there already',
            }),
          isNeeded: false,
        },
      ]}
      read={(text) => readImport(kind, text, newId)}
      check={async (rows) => {
        const outcomes = await importRecords(target, bodiesOf(rows), { check: true });
        return rows.map((row, index) =>
          outcomes[index] === 'exists'
            ? { ...row, question: 'overwrite', note: t`A record with this id is there already` }
            : row,
        );
      }}
      write={async (rows, answers) => {
        const options = { overwrite: answers.has('overwrite') };
        const written = importRecords(target, bodiesOf(rows), options);
        const outcomes = await written.finally(() =>
          queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
        );
        return importSummary(outcomes);
      }}
      onClose={onClose}
    />
  );
}
