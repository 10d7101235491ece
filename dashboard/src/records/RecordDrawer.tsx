import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFileOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useMay } from '../access/use-may.ts';
import { type Names, useNames } from '../access/use-names.ts';
import { type GuildRecord, recordQuery, type TaggedRecord } from '../api/records.ts';
import { RecordHistory } from '../audit/RecordHistory.tsx';
import { personAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import { DetailDrawer, stepsAmong } from '../components/DetailDrawer.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { type Fact, Facts } from '../components/Facts.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { useNow } from '../components/use-now.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { RecordDate } from './RecordDate.tsx';
import classes from './RecordDrawer.module.css';
import { Text, TypeTag } from './record-columns.tsx';
import { type RecordKind, recordFormId, type TextField, type TextName } from './record-kinds.ts';

interface RecordDetailsProps {
  kind: RecordKind;
  guildId: string;
  onEdit: (record: TaggedRecord) => void;
  onDelete: (record: TaggedRecord) => void;
  /** A record that is being deleted, or was just deleted. It is not requested. */
  deletedId: string | undefined;
}

interface RecordDrawerProps extends RecordDetailsProps {
  isCovered: boolean;
  /** The ids of the records on the page, in order. */
  listedIds: readonly string[];
  /** Called when the details are closed. */
  onHidden: () => void;
}

/** All fields of the record in the address. */
export function RecordDrawer({ isCovered, listedIds, onHidden, ...details }: RecordDrawerProps) {
  const { id, hide, exchange } = useShownRecord();
  useEffect(() => {
    if (id === undefined) onHidden();
  }, [id, onHidden]);
  const title = details.kind.texts.one;
  return (
    <DetailDrawer
      isOpen={id !== undefined}
      onClose={hide}
      title={title}
      isCovered={isCovered}
      steps={stepsAmong(listedIds, id, exchange)}
    >
      {id !== undefined && <RecordDetails key={id} {...details} id={id} />}
    </DetailDrawer>
  );
}

function RecordDetails(props: RecordDetailsProps & { id: string }) {
  const { kind, guildId, id, onEdit, onDelete, deletedId } = props;
  const query = useQuery({ ...recordQuery(guildId, kind.path, id), enabled: id !== deletedId });
  const mayChange = useMay('records.change');
  useDraftOfChange({ record: query.data ?? undefined, formId: recordFormId(kind, id), onEdit });
  if (query.isPending) return <RowsSkeleton />;
  if (query.data === null) {
    return (
      <EmptyState icon={<IconFileOff size={28} stroke={1.6} />} title={kind.texts.noSuch}>
        <p>
          <Trans>It may have been deleted, or the address is not complete.</Trans>
        </p>
      </EmptyState>
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        title={kind.texts.notLoaded}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const record = query.data;
  return (
    <>
      <h2 className={classes.name} dir="auto">
        {record.name}
      </h2>
      <PersonLinks guildId={guildId} playerId={record.playerId} />
      <RecordFacts kind={kind} guildId={guildId} record={record} />
      {mayChange && (
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconPencil size={16} stroke={1.7} />}
            onClick={() => onEdit(record)}
          >
            <Trans>Edit</Trans>
          </Button>
          <Button
            variant="default"
            className={classes.delete ?? ''}
            leftSection={<IconTrash size={16} stroke={1.7} />}
            onClick={() => onDelete(record)}
          >
            <Trans>Delete</Trans>
          </Button>
        </div>
      )}
      <RecordHistory guildId={guildId} kind={kind.auditKind} id={record.id} />
    </>
  );
}

interface DraftOfChange {
  record: TaggedRecord | undefined;
  formId: string;
  onEdit: (record: TaggedRecord) => void;
}

/** Opens the form again that was open when the session ended. */
function useDraftOfChange({ record, formId, onEdit }: DraftOfChange): void {
  const hasDraft = useHasDraft(formId);
  const isDone = useRef(false);
  useEffect(() => {
    if (!hasDraft || isDone.current || record === undefined) return;
    isDone.current = true;
    onEdit(record);
  }, [hasDraft, record, onEdit]);
}

/** Links to the other pages about this person. */
function PersonLinks({ guildId, playerId }: { guildId: string; playerId: string }) {
  const query = encodeURIComponent(playerId);
  const guild = `/guilds/${encodeURIComponent(guildId)}`;
  const links = [
    { label: t`Person`, to: personAddress(guildId, playerId) },
    { label: t`Discharges`, to: `${guild}/discharges?query=${query}` },
    { label: t`Transfers`, to: `${guild}/transfers?query=${query}` },
  ];
  return (
    <ul className={classes.links} aria-label={t`More of this person`}>
      {links.map(({ label, to }) => (
        <li key={label}>
          <Link to={to} className={classes.link ?? ''}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface RecordFactsProps {
  kind: RecordKind;
  guildId: string;
  record: GuildRecord;
}

function RecordFacts({ kind, guildId, record }: RecordFactsProps) {
  const { playerId, chatId } = record;
  const names = useNames(guildId, { playerIds: [playerId], ...(chatId && { chatIds: [chatId] }) });
  const date: Fact = { label: t`Date`, value: <RecordDate date={record.date} nowMs={useNow()} /> };
  const texts = kind.fields
    .filter(({ name }) => name !== 'name')
    .map((field) => ({ label: field.label, value: factValue(record, field, names) }));
  const id: Fact = { label: t`Id`, value: <Copied text={record.id} label={t`Copy the id`} /> };
  return (
    <div aria-busy={names.isLoading || undefined}>
      <Facts facts={[date, ...texts, id]} />
    </div>
  );
}

function factValue(record: GuildRecord, { name, kind }: TextField<TextName>, names: Names) {
  const text = record[name] ?? '';
  if (name === 'playerId') {
    return <Copied text={text} name={names.ofPlayer(text)} label={t`Copy the player id`} />;
  }
  if (name === 'chatId') {
    return <Copied text={text} name={names.ofChat(text)} label={t`Copy the chat id`} />;
  }
  if (name === 'type') return <TypeTag type={text} />;
  if (kind === 'block' && text.trim() !== '') {
    return (
      <p className={classes.block} dir="auto">
        {text}
      </p>
    );
  }
  return <Text text={text} />;
}

interface CopiedProps {
  text: string;
  /** The name behind an id. */
  name?: string | undefined;
  label: string;
}

function Copied({ text, name, label }: CopiedProps) {
  return (
    <span className={classes.copied}>
      {name !== undefined && <bdi>{name}</bdi>}{' '}
      <span className={classes.copiedText}>
        <bdi className={name === undefined ? '' : (classes.idText ?? '')}>{text}</bdi>
        <CopyAction value={text} label={label} />
      </span>
    </span>
  );
}
