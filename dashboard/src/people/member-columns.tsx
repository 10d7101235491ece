import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Member, MemberSortColumn } from '../api/members.ts';
import { listText } from '../components/language-formats.ts';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import type { Column } from '../components/record-list.ts';
import { Tag } from '../components/Tag.tsx';
import classes from './People.module.css';

const namesShownMax = 3;

export const memberColumns = (guildId: string): Column<Member, MemberSortColumn>[] => [
  {
    id: 'name',
    label: t`Name`,
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
    label: t`Verification`,
    isCardAside: true,
    kind: 'line',
    render: (member) => <State {...member} />,
  },
  { id: 'player', label: t`Player id`, render: ({ playerId }) => <bdi>{playerId}</bdi> },
  {
    id: 'former',
    label: t`Former names`,
    isEmpty: ({ pastUsers, formerOf }) => pastUsers.length === 0 && formerOf === null,
    render: (member) => <FormerNames {...member} />,
  },
  {
    id: 'balance',
    label: t`Balance`,
    sortBy: 'balance',
    kind: 'number',
    render: ({ balance }) => <Balance value={balance} />,
  },
  {
    id: 'transactions',
    label: t`Transactions`,
    sortBy: 'transactions',
    kind: 'number',
    render: ({ transactions }) => groupCount(transactions),
  },
  {
    id: 'records',
    label: t`Records`,
    kind: 'number',
    isEmpty: ({ discharges, transfers }) => discharges + transfers === 0,
    render: ({ discharges, transfers }) => groupCount(discharges + transfers),
  },
];

/** Shows whether the player is verified. */
export function State({ chatId, formerOf }: Pick<Member, 'chatId' | 'formerOf'>) {
  if (chatId !== null)
    return (
      <Tag tone="good">
        <Trans>Verified</Trans>
      </Tag>
    );
  return formerOf === null ? (
    <Tag>
      <Trans>Not verified</Trans>
    </Tag>
  ) : (
    <Tag tone="info">
      <Trans>Former account</Trans>
    </Tag>
  );
}

function FormerNames({ pastUsers, formerOf }: Member) {
  if (formerOf !== null) {
    return (
      <span className={classes.quiet}>
        <Trans>
          now <bdi>{formerOf.username}</bdi>
        </Trans>
      </span>
    );
  }
  if (pastUsers.length === 0)
    return (
      <span className={classes.quiet}>
        <Trans context="former accounts">None</Trans>
      </span>
    );
  const rest = pastUsers.length - namesShownMax;
  const names = pastUsers.slice(0, namesShownMax).map(({ username }) => username);
  return <bdi className={classes.clamped}>{listText(names, Math.max(0, rest))}</bdi>;
}
