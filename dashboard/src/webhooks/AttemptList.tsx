import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Attempt, WebhookPlace } from '../api/webhooks.ts';
import { stepsAmong } from '../components/DetailDrawer.tsx';
import { MomentBoth } from '../components/Moment.tsx';
import { groupCount } from '../components/money.ts';
import { RecordList } from '../components/RecordList.tsx';
import type { Column } from '../components/record-list.ts';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { AttemptDrawer } from './AttemptDrawer.tsx';
import { labelOf } from './event-texts.ts';
import { failureText } from './failure-texts.ts';
import classes from './Webhooks.module.css';

interface AttemptListProps {
  place: WebhookPlace;
  attempts: Attempt[];
  /** Nothing can be delivered again to a disabled webhook. */
  isActive: boolean;
  onReplay: (eventId: string) => void;
}

/** The last attempts to deliver, newest first, with their results. */
export function AttemptList({ place, attempts, isActive, onReplay }: AttemptListProps) {
  const nowMs = useNow();
  const { id: shownId, show, exchange, hide } = useShownRecord();
  const columns: Column<Attempt>[] = [
    {
      id: 'type',
      label: t`Event`,
      render: ({ type, eventId }) => (
        <span className={classes.event}>
          {labelOf(type)}
          <code className={classes.code}>{eventId}</code>
        </span>
      ),
    },
    {
      id: 'status',
      label: t`Answer`,
      isCardAside: true,
      render: ({ status, error }) => (
        <Tag tone={error === null ? 'good' : 'danger'}>{status === null ? t`No answer` : String(status)}</Tag>
      ),
    },
    {
      id: 'error',
      label: t`What went wrong`,
      isCardWide: true,
      isEmpty: ({ error }) => error === null,
      render: ({ error }) =>
        error === null ? (
          <span className={classes.quiet}>
            <Trans>Nothing</Trans>
          </span>
        ) : (
          <span className={classes.error} dir="auto">
            {failureText(error)}
          </span>
        ),
    },
    { id: 'at', label: t`When`, kind: 'line', render: ({ at }) => <MomentBoth at={at} nowMs={nowMs} /> },
    {
      id: 'duration',
      label: t`Duration`,
      kind: 'number',
      render: ({ durationMs }) => `${groupCount(durationMs)} ms`,
    },
    {
      id: 'replay',
      label: t`Again`,
      isEmpty: ({ eventId }) => !isReplayable(eventId),
      render: ({ eventId }) =>
        isReplayable(eventId) && (
          <Button
            variant="transparent"
            size="compact-sm"
            px={0}
            disabled={!isActive}
            aria-label={t`Deliver ${eventId} again`}
            onClick={() => onReplay(eventId)}
          >
            <Trans>Replay</Trans>
          </Button>
        ),
    },
  ];
  return (
    <section aria-labelledby="attempts-title">
      <h2 id="attempts-title" className={classes.title}>
        <Trans>Last attempts</Trans>
      </h2>
      {attempts.length === 0 ? (
        <p className={classes.empty}>
          <Trans>
            None yet. They show here as soon as something happens that this webhook is told of; a test does so
            at once.
          </Trans>
        </p>
      ) : (
        <>
          <RecordList
            caption={t`Attempts to deliver, the newest first`}
            rows={attempts}
            columns={columns}
            idOf={({ id }) => id}
            onOpen={({ id }) => show(id)}
          />
          <p className={classes.quiet}>
            <Trans>The last 200 attempts of 30 days are kept.</Trans>
          </p>
        </>
      )}
      <AttemptDrawer
        place={place}
        attemptId={shownId}
        steps={stepsAmong(
          attempts.map(({ id }) => id),
          shownId,
          exchange,
        )}
        onClose={hide}
      />
    </section>
  );
}

/** Only events of the guild's logs can be delivered again: no tests, and no warnings about keys. */
function isReplayable(eventId: string): boolean {
  return /_[trpbav]\d+$/.test(eventId);
}
