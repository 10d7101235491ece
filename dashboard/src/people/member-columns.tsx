import { MarkedName } from '../access/PersonMark.tsx';
import type { Member, MemberSortColumn } from '../api/members.ts';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import type { Column } from '../components/record-list.ts';
import { Tag } from '../components/Tag.tsx';
import classes from './People.module.css';

const namesShownMax = 3;

export const memberColumns = (guildId: string): Column<Member, MemberSortColumn>[] => [
  {
    id: 'name',
    label: 'Name',
    sortBy: 'name',
    isAscendingFirst: true,
    render: ({ playerId, chatId, name }) => (
      <MarkedName
        guildId={guildId}
        playerId={playerId}
        name={name ?? playerId}
        isVerified={chatId !== null}
        size="sm"
      />
    ),
  },
  {
    id: 'state',
    label: 'Verification',
    isCardAside: true,
    kind: 'line',
    render: (member) => <State {...member} />,
  },
  { id: 'player', label: 'Player id', render: ({ playerId }) => <bdi>{playerId}</bdi> },
  {
    id: 'former',
    label: 'Former names',
    isEmpty: ({ pastUsers, formerOf }) => pastUsers.length === 0 && formerOf === null,
    render: (member) => <FormerNames {...member} />,
  },
  {
    id: 'balance',
    label: 'Balance',
    sortBy: 'balance',
    kind: 'number',
    render: ({ balance }) => <Balance value={balance} />,
  },
  {
    id: 'transactions',
    label: 'Transactions',
    sortBy: 'transactions',
    kind: 'number',
    render: ({ transactions }) => groupCount(transactions),
  },
  {
    id: 'records',
    label: 'Records',
    kind: 'number',
    isEmpty: ({ discharges, transfers }) => discharges + transfers === 0,
    render: ({ discharges, transfers }) => groupCount(discharges + transfers),
  },
];

/** Shows whether the player is verified. */
export function State({ chatId, formerOf }: Pick<Member, 'chatId' | 'formerOf'>) {
  if (chatId !== null) return <Tag tone="good">Verified</Tag>;
  return formerOf === null ? <Tag>Not verified</Tag> : <Tag tone="info">Former account</Tag>;
}

function FormerNames({ pastUsers, formerOf }: Member) {
  if (formerOf !== null) {
    return (
      <span className={classes.quiet}>
        now <bdi>{formerOf.username}</bdi>
      </span>
    );
  }
  if (pastUsers.length === 0) return <span className={classes.quiet}>None</span>;
  const rest = pastUsers.length - namesShownMax;
  return (
    <bdi className={classes.clamped}>
      {pastUsers
        .slice(0, namesShownMax)
        .map(({ username }) => username)
        .join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </bdi>
  );
}
