import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Member, MemberSortColumn } from '../api/members.ts';
import { Breakable } from '../components/Breakable.tsx';
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
  { id: 'player', label: t`Player id`, only: 'table', render: ({ playerId }) => <PlayerId id={playerId} /> },
  {
    id: 'former',
    label: t`Former names`,
    only: 'table',
    render: (member) => <FormerNames {...member} />,
  },
  {
    // All cards have the same four facts, so that they are equally high.
    id: 'player-and-former',
    label: t`Player id`,
    only: 'card',
    isCardWide: true,
    render: (member) => (
      <span className={classes.oneLine}>
        <bdi>{member.playerId}</bdi>
        {(member.pastUsers.length > 0 || member.formerOf !== null) && (
          <>
            {' · '}
            <FormerNamesOfCard {...member} />
          </>
        )}
      </span>
    ),
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
    render: ({ discharges, transfers }) => groupCount(discharges + transfers),
  },
];

/** An id of a usual length stays on one line. */
const wholeIdMax = 20;

function PlayerId({ id }: { id: string }) {
  return <bdi className={id.length <= wholeIdMax ? classes.wholeId : undefined}>{id}</bdi>;
}

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
  return (
    <bdi className={classes.clamped}>
      <Breakable>{pastNames(pastUsers)}</Breakable>
    </bdi>
  );
}

function FormerNamesOfCard(member: Member) {
  if (member.formerOf !== null) return <FormerNames {...member} />;
  return (
    <span className={classes.quiet}>
      <Trans>
        formerly <bdi>{pastNames(member.pastUsers)}</bdi>
      </Trans>
    </span>
  );
}

function pastNames(pastUsers: Member['pastUsers']): string {
  const rest = pastUsers.length - namesShownMax;
  const names = pastUsers.slice(0, namesShownMax).map(({ username }) => username);
  return listText(names, Math.max(0, rest));
}
