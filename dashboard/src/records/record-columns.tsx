import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Names } from '../access/use-names.ts';
import type { GuildRecord, RecordQuery } from '../api/records.ts';
import { personAddress } from '../components/addresses.ts';
import { Breakable } from '../components/Breakable.tsx';
import { NamedId } from '../components/NamedId.tsx';
import type { Column } from '../components/record-list.ts';
import { Tag } from '../components/Tag.tsx';
import { RecordDate } from './RecordDate.tsx';
import classes from './Records.module.css';
import type { RecordKind } from './record-kinds.ts';

type RecordColumn = Column<GuildRecord, RecordQuery['sortBy']>;

/** The columns of the table, which are also the lines of the cards. */
export function recordColumns(
  kind: RecordKind,
  { guildId, nowMs, names }: { guildId: string; nowMs: number; names: Names },
): RecordColumn[] {
  const name: RecordColumn = {
    id: 'name',
    label: t`Name`,
    sortBy: 'name',
    isAscendingFirst: true,
    render: (record) => <Breakable>{record.name}</Breakable>,
  };
  const player: RecordColumn = {
    id: 'player',
    label: t`Player`,
    // On a card of a transfer, so that From and To are side by side below it.
    isCardWide: !kind.hasType,
    render: ({ playerId, name: written }) => {
      const verified = names.ofPlayer(playerId);
      return (
        <Link to={personAddress(guildId, playerId)} className={classes.link ?? ''}>
          <MarkedName
            guildId={guildId}
            playerId={playerId}
            name={verified ?? playerId}
            isVerified={verified !== undefined}
          >
            <NamedId
              title={t`Player ${playerId}`}
              id={playerId}
              // The name beside it is the same: the id says more than the name a second time.
              name={verified === written ? undefined : verified}
            />
          </MarkedName>
        </Link>
      );
    },
  };
  const date: RecordColumn = {
    id: 'date',
    label: t`Date`,
    sortBy: 'date',
    kind: 'line',
    render: (record) => <RecordDate date={record.date} nowMs={nowMs} />,
  };
  const type: RecordColumn = {
    id: 'type',
    label: t`Type`,
    isCardAside: true,
    render: (record) => <TypeTag type={record.type ?? ''} />,
  };
  const from = textColumn('from', t({ message: 'From', context: 'former unit' }));
  const signed = textColumn('signed', t`Signed by`);
  if (kind.hasType) return [name, type, player, from, signed, date];
  return [name, player, from, textColumn('to', t({ message: 'To', context: 'new unit' })), signed, date];
}

function textColumn(id: 'from' | 'to' | 'signed', label: string): RecordColumn {
  return { id, label, render: (record) => <Text text={record[id] ?? ''} isCell /> };
}

interface TextProps {
  text: string;
  /** In a cell, which takes its direction from the text in it. */
  isCell?: boolean;
}

/** A text of the record, or "None" when it is empty. */
export function Text({ text, isCell = false }: TextProps) {
  if (isCell && text.trim() !== '') return <Breakable>{text}</Breakable>;
  return text.trim() === '' ? (
    <span className={classes.none}>
      <Trans context="text of a record">None</Trans>
    </span>
  ) : (
    <bdi>
      <Breakable>{text}</Breakable>
    </bdi>
  );
}

export function TypeTag({ type }: { type: string }) {
  if (type.trim() === '')
    return (
      <span className={classes.none}>
        <Trans context="type of a discharge">None</Trans>
      </span>
    );
  return (
    <Tag>
      <bdi className={classes.type}>
        <Breakable>{type}</Breakable>
      </bdi>
    </Tag>
  );
}
