import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, FileButton, Modal, ScrollArea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isUndecided } from '../api/request.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './CsvImport.module.css';
import type { CsvFile, CsvRow } from './csv-file.ts';

export interface ImportQuestion {
  id: string;
  /** The text of the checkbox. */
  label: (count: number) => string;
  /** True when nothing is written without an answer; otherwise the lines in question are left as they are. */
  isNeeded: boolean;
}

export interface CsvImportProps<Item> {
  title: string;
  /** How the file has to look. */
  help: ReactNode;
  /** The label of the last button, such as "Import 12 discharges". */
  label: (count: number) => string;
  /** The headings of the cells in the preview. */
  headings: readonly string[];
  questions: readonly ImportQuestion[];
  read: (text: string) => CsvFile<Item>;
  /** Asks the service about the valid lines, and returns them with its errors, notes and questions. */
  check: (rows: CsvRow<Item>[]) => Promise<CsvRow<Item>[]>;
  /** Writes the lines in one commit. Returns the text of the notification. */
  write: (rows: CsvRow<Item>[], answers: ReadonlySet<string>) => Promise<string>;
  /** Shown beside the errors of writing, for answers that are no errors. */
  children?: ReactNode;
  onClose: () => void;
}

/** Imports a CSV file in two steps: every line is checked and shown, then all of them are written at once. */
export function CsvImport<Item>(props: CsvImportProps<Item>) {
  const { title, help, label, headings, questions, read, check, write, children, onClose } = props;
  const isPhone = useIsPhone();
  const [file, setFile] = useState<CsvFile<Item> | undefined>(undefined);
  const [answers, setAnswers] = useState<ReadonlySet<string>>(new Set());
  const [leavesFaulty, setLeavesFaulty] = useState(false);
  const checking = useMutation({ mutationFn: (rows: CsvRow<Item>[]) => check(rows) });
  const writing = useMutation({
    mutationFn: (rows: CsvRow<Item>[]) => write(rows, answers),
    onSuccess: (message) => {
      if (message === '') return;
      notifications.show({ title: t`Import finished`, message });
      onClose();
    },
  });
  const choose = async (chosen: File | null) => {
    if (chosen === null) return;
    const next = read(await chosen.text());
    setFile(next);
    setAnswers(new Set());
    setLeavesFaulty(false);
    writing.reset();
    const good = next.rows.filter(({ fault }) => fault === undefined);
    if (good.length > 0) checking.mutate(good);
    else checking.reset();
  };
  const rows = mergeChecked(file?.rows ?? [], checking.data ?? []);
  const faulty = rows.filter(({ fault }) => fault !== undefined).length;
  const good = rows.filter(({ fault }) => fault === undefined);
  const asked = questions
    .map((question) => ({ ...question, count: good.filter((row) => row.question === question.id).length }))
    .filter(({ count }) => count > 0);
  const left = new Set(asked.filter(({ id, isNeeded }) => !isNeeded && !answers.has(id)).map(({ id }) => id));
  const chosen = good.filter(({ question }) => question === undefined || !left.has(question));
  const isReady =
    checking.isSuccess &&
    chosen.length > 0 &&
    (faulty === 0 || leavesFaulty) &&
    asked.every(({ id, isNeeded }) => !isNeeded || answers.has(id));
  return (
    <Modal opened onClose={onClose} title={title} size="xl" fullScreen={isPhone}>
      <div className={classes.form}>
        <div className={classes.text}>{help}</div>
        <FileButton onChange={choose} accept=".csv,text/csv">
          {(button) => (
            <Button {...button} variant="default" className={classes.choose ?? ''} data-autofocus>
              <Trans>Choose a file</Trans>
            </Button>
          )}
        </FileButton>
        <Faults
          file={file}
          checking={checking.error}
          writing={writing.error}
          onAgain={() => checking.mutate(good)}
        />
        {children}
        {checking.isPending && (
          <p className={classes.text} role="status">
            {plural(checking.variables.length, { one: 'Checking # line …', other: 'Checking # lines …' })}
          </p>
        )}
        {rows.length > 0 && !checking.isPending && (
          <Preview headings={headings} rows={rows} faulty={faulty} />
        )}
        {faulty > 0 && good.length > 0 && (
          <Checkbox
            label={plural(faulty, {
              one: 'Leave the faulty line out',
              other: 'Leave the # faulty lines out',
            })}
            checked={leavesFaulty}
            onChange={(event) => setLeavesFaulty(event.currentTarget.checked)}
          />
        )}
        {asked.map(({ id, label: question, count }) => (
          <Checkbox
            key={id}
            label={question(count)}
            checked={answers.has(id)}
            onChange={(event) => setAnswers(toggled(answers, id, event.currentTarget.checked))}
          />
        ))}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button disabled={!isReady} loading={writing.isPending} onClick={() => writing.mutate(chosen)}>
            {label(chosen.length)}
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}

function toggled(answers: ReadonlySet<string>, id: string, isGiven: boolean): ReadonlySet<string> {
  const others = [...answers].filter((one) => one !== id);
  return new Set(isGiven ? [...others, id] : others);
}

/** All lines of the file, with what the service has said about the valid ones. */
function mergeChecked<Item>(rows: readonly CsvRow<Item>[], checked: readonly CsvRow<Item>[]): CsvRow<Item>[] {
  const byLine = new Map(checked.map((row) => [row.line, row]));
  return rows.map((row) => (row.fault === undefined ? (byLine.get(row.line) ?? row) : row));
}

interface FaultsProps {
  file: CsvFile<unknown> | undefined;
  checking: Error | null;
  writing: Error | null;
  onAgain: () => void;
}

function Faults({ file, checking, writing, onAgain }: FaultsProps) {
  if (file?.fault !== undefined) {
    return (
      <Notice tone="danger" title={t`This file cannot be used`} isAnnounced>
        {file.fault}
      </Notice>
    );
  }
  if (checking) {
    return (
      <Notice tone="danger" title={t`The lines could not be checked`} isAnnounced>
        <p>
          <Trans>{checking.message} Nothing was written.</Trans>
        </p>
        <Button variant="default" size="compact-sm" mt="xs" onClick={onAgain}>
          <Trans>Check again</Trans>
        </Button>
      </Notice>
    );
  }
  if (!writing) return null;
  return (
    <Notice
      tone="danger"
      title={isUndecided(writing) ? t`No clear answer` : t`Nothing was written`}
      isAnnounced
    >
      {writing.message}
      {isUndecided(writing) &&
        ` ${t`All lines may have been written, or none. Send them again: nothing is added twice.`}`}
    </Notice>
  );
}

interface PreviewProps {
  headings: readonly string[];
  rows: readonly CsvRow<unknown>[];
  faulty: number;
}

function Preview({ headings, rows, faulty }: PreviewProps) {
  return (
    <>
      <p className={classes.text} role="status">
        {faulty === 0
          ? plural(rows.length, { one: '# line, none faulty.', other: '# lines, none faulty.' })
          : faultyText(groupCount(faulty), groupCount(rows.length))}
      </p>
      <ScrollArea.Autosize
        mah="22rem"
        className={classes.frame ?? ''}
        viewportProps={{ tabIndex: 0, 'aria-label': t`Lines of the file`, role: 'region' }}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Line</Trans>
              </th>
              <th scope="col">
                <Trans>Result</Trans>
              </th>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...rows].sort(faultyFirst).map(({ line, cells, fault, note }) => (
              <tr key={line} data-faulty={fault !== undefined || undefined}>
                <td>{line}</td>
                <td className={classes.result}>{fault ?? note ?? t`Fine`}</td>
                {headings.map((heading, index) => (
                  <td key={heading} dir="auto">
                    <span className={classes.cell} title={cells[index]}>
                      {cells[index]}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
    </>
  );
}

function faultyText(faulty: string, all: string): string {
  return t`Lines that cannot be used as they are: ${faulty} of ${all}.`;
}

function faultyFirst(one: CsvRow<unknown>, other: CsvRow<unknown>): number {
  return Number(other.fault !== undefined) - Number(one.fault !== undefined) || one.line - other.line;
}
