import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Guild } from '../api/guilds.ts';
import type { ApiKey } from '../api/keys.ts';
import type { LoggedRequest } from '../api/requests.ts';
import { Breakable } from '../components/Breakable.tsx';
import { stepsAmong } from '../components/DetailDrawer.tsx';
import { MomentBoth } from '../components/Moment.tsx';
import { RecordList } from '../components/RecordList.tsx';
import type { Column } from '../components/record-list.ts';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { reasonText } from '../keys/key-usage.ts';
import { RequestDrawer } from './RequestDrawer.tsx';
import classes from './Requests.module.css';

interface RequestListProps {
  guild: Guild;
  requests: LoggedRequest[];
  keys: ApiKey[];
  isStale: boolean;
}

export function RequestList({ guild, requests, keys, isStale }: RequestListProps) {
  const nowMs = useNow();
  const { id: shownId, show, exchange, hide } = useShownRecord();
  const nameOf = (keyId: string) => keys.find(({ id }) => id === keyId)?.name ?? t`A deleted key`;
  const columns: Column<LoggedRequest>[] = [
    {
      id: 'request',
      label: t`Request`,
      only: 'table',
      render: (request) => <Asked request={request} />,
    },
    {
      // On a phone the reason needs the whole width.
      id: 'request-and-reason',
      label: t`Request`,
      only: 'card',
      render: (request) => (
        <>
          <Asked request={request} />
          {request.code !== null && <span className={classes.cardReason}>{reasonText(request.code)}</span>}
        </>
      ),
    },
    {
      id: 'status',
      label: t`Answer`,
      isCardAside: true,
      render: ({ status }) => <Tag tone={status < 400 ? 'good' : 'danger'}>{String(status)}</Tag>,
    },
    {
      id: 'reason',
      label: t`Reason`,
      only: 'table',
      render: ({ code }) =>
        code === null ? (
          <span className={classes.quiet}>
            <Trans>Answered</Trans>
          </span>
        ) : (
          reasonText(code)
        ),
    },
    { id: 'key', label: t`Key`, render: ({ keyId }) => <bdi>{nameOf(keyId)}</bdi> },
    { id: 'at', label: t`When`, kind: 'line', render: ({ at }) => <MomentBoth at={at} nowMs={nowMs} /> },
  ];
  const shown = requests.find(({ requestId }) => requestId === shownId);
  return (
    <>
      <RecordList
        caption={t`Requests, the newest first`}
        rows={requests}
        columns={columns}
        idOf={({ requestId }) => requestId}
        onOpen={({ requestId }) => show(requestId)}
        isStale={isStale}
      />
      <RequestDrawer
        guild={guild}
        request={shown}
        keyName={shown === undefined ? '' : nameOf(shown.keyId)}
        steps={stepsAmong(
          requests.map(({ requestId }) => requestId),
          shownId,
          exchange,
        )}
        onClose={hide}
      />
    </>
  );
}

function Asked({ request: { method, path } }: { request: LoggedRequest }) {
  return (
    <code className={classes.request}>
      <b>{method}</b>{' '}
      <bdi>
        <Breakable>{path}</Breakable>
      </bdi>
    </code>
  );
}
