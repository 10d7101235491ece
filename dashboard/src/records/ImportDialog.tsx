import { Button, FileButton, Group, Modal, ScrollArea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { importRecords } from '../api/records.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { type ImportFile, type ImportRow, importRowsMax, readImport } from './csv-rows.ts';
import classes from './ImportDialog.module.css';
import { capitalized, type RecordKind } from './record-kinds.ts';

interface ImportDialogProps {
  kind: RecordKind;
  guildId: string;
  onClose: () => void;
}

/** Adds the records of a CSV file: first a preview of each line with its errors, then the result of each. */
export function ImportDialog({ kind, guildId, onClose }: ImportDialogProps) {
  const isPhone = useIsPhone();
  const [file, setFile] = useState<ImportFile | undefined>(undefined);
  const [taken, setTaken] = useState<ImportRow[]>([]);
  const good = (file?.rows ?? []).filter(({ fault }) => fault === undefined);
  const read = async (chosen: File | null) => {
    if (chosen === null) return;
    setTaken([]);
    setFile(readImport(kind, await chosen.text()));
  };
  const importing = useImport({ kind, guildId }, (rows) => {
    if (rows.length === 0) onClose();
    setTaken(rows);
    setFile({ rows, fault: undefined });
  });
  return (
    <Modal opened onClose={onClose} title={`Import ${kind.path}`} size="xl" fullScreen={isPhone}>
      <div className={classes.form}>
        <p className={classes.text}>
          A CSV file as “Export CSV” writes it, with at most {importRowsMax} records. The first line names the
          fields: <code>{['id', ...kind.fields.map(({ name }) => name), 'date'].join(', ')}</code>. Without an
          id one is made.
        </p>
        <FileButton onChange={read} accept=".csv,text/csv">
          {(props) => (
            <Button {...props} variant="default" className={classes.choose ?? ''} data-autofocus>
              Choose a file
            </Button>
          )}
        </FileButton>
        {file?.fault !== undefined && (
          <Notice tone="danger" title="This file cannot be used" isAnnounced>
            {file.fault}
          </Notice>
        )}
        {importing.isError && (
          <Notice tone="danger" title="The import did not finish" isAnnounced>
            {importing.error.message} Look at the list before you try again: some records may have been added.
          </Notice>
        )}
        {taken.length > 0 && (
          <Notice tone="warning" title="Not everything was added" isAnnounced>
            The records below have ids that are taken already; those stayed as they are.
          </Notice>
        )}
        {file !== undefined && file.rows.length > 0 && <Preview kind={kind} rows={file.rows} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {taken.length > 0 ? 'Close' : 'Cancel'}
          </Button>
          <Button
            disabled={good.length === 0 || taken.length > 0}
            loading={importing.isPending}
            onClick={() => importing.mutate(good)}
          >
            {good.length === 0
              ? 'Import'
              : `Import ${good.length} ${good.length === 1 ? kind.noun : kind.path}`}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}

function Preview({ kind, rows }: { kind: RecordKind; rows: ImportRow[] }) {
  const faulty = rows.filter(({ fault }) => fault !== undefined).length;
  return (
    <>
      <p className={classes.text} role="status">
        {faulty === 0
          ? `${rows.length} lines, all fine.`
          : `${faulty} of ${rows.length} lines cannot be added. They are left out unless you mend the file.`}
      </p>
      <ScrollArea.Autosize
        mah="22rem"
        className={classes.frame ?? ''}
        viewportProps={{ tabIndex: 0, 'aria-label': 'Lines of the file', role: 'region' }}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Name</th>
              <th scope="col">Player id</th>
              <th scope="col">Date</th>
              <th scope="col">{capitalized(kind.noun)}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, body, fault }) => (
              <tr key={line} data-faulty={fault !== undefined || undefined}>
                <td>{line}</td>
                <td dir="auto">{body.name}</td>
                <td>{body.playerId}</td>
                <td>{body.date}</td>
                <td>{fault ?? 'Fine'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
    </>
  );
}

/** Calls back with the rows whose ids were taken. */
function useImport(
  { kind, guildId }: Pick<ImportDialogProps, 'kind' | 'guildId'>,
  onDone: (taken: ImportRow[]) => void,
) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rows: ImportRow[]) =>
      importRecords(
        { session, guildId, path: kind.path },
        rows.map(({ body }) => body),
      ),
    onSuccess: (outcomes, rows) => {
      const added = outcomes.filter((outcome) => outcome === 'created').length;
      notifications.show({ title: 'Import finished', message: `${added} of ${rows.length} were added.` });
      onDone(
        rows
          .filter((_, index) => outcomes[index] === 'exists')
          .map((row) => ({ ...row, fault: 'A record with this id is there already' })),
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
  });
}
