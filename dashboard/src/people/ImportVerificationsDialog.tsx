import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { importLinks, type MemberLink } from '../api/members.ts';
import { groupCount } from '../components/money.ts';
import { CsvImport } from '../imports/CsvImport.tsx';
import { type CsvRow, importRowsMax } from '../imports/csv-file.ts';
import { importSummary } from '../imports/outcomes.ts';
import { readVerifications } from './verification-rows.ts';

interface ImportVerificationsDialogProps {
  guildId: string;
  onClose: () => void;
}

/** Verifies the people of a CSV file. */
export function ImportVerificationsDialog({ guildId, onClose }: ImportVerificationsDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const linksOf = (rows: readonly CsvRow<MemberLink>[]) => rows.map(({ item }) => item);
  return (
    <CsvImport
      title={t`Import verifications`}
      help={
        <Trans>
          A CSV file with at most {groupCount(importRowsMax)} people of this guild. The first line names the
          columns: <code>chatId, playerId, username</code>. Verifications count in every guild of this
          service.
        </Trans>
      }
      label={(count) =>
        count === 0
          ? t`Import`
          : plural(count, { one: 'Import # verification', other: 'Import # verifications' })
      }
      headings={[t`Chat id`, t`Player id`, t`User name`]}
      questions={[
        {
          id: 'overwrite',
          label: (count) =>
            plural(count, {
              one: 'Replace the one that is verified otherwise',
              other: 'Replace the # that are verified otherwise',
            }),
          isNeeded: false,
        },
      ]}
      read={readVerifications}
      check={async (rows) => {
        const outcomes = await importLinks(session, guildId, linksOf(rows), { check: true });
        return rows.map((row, index) => {
          switch (outcomes[index]) {
            case 'unknown':
              return { ...row, fault: t`Player id: nobody in this guild has it` };
            case 'exists':
              return { ...row, question: 'overwrite', note: t`Person or player is verified otherwise` };
            case 'unchanged':
              return { ...row, note: t`Verified like this already` };
            default:
              return row;
          }
        });
      }}
      write={async (rows, answers) => {
        const written = importLinks(session, guildId, linksOf(rows), { overwrite: answers.has('overwrite') });
        return importSummary(
          await written.finally(() => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] })),
        );
      }}
      onClose={onClose}
    />
  );
}
