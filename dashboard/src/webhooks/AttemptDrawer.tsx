import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../access/Loaded.tsx';
import { type AttemptDetail, attemptQuery, type WebhookPlace } from '../api/webhooks.ts';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { DetailDrawer, type DrawerSteps } from '../components/DetailDrawer.tsx';
import { Facts } from '../components/Facts.tsx';
import { MomentExact } from '../components/Moment.tsx';
import { groupCount } from '../components/money.ts';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { readBody } from './attempt-body.ts';
import { labelOf } from './event-texts.ts';
import { failureText } from './failure-texts.ts';
import classes from './Webhooks.module.css';

interface AttemptDrawerProps {
  place: WebhookPlace;
  attemptId: string | undefined;
  steps: DrawerSteps | undefined;
  onClose: () => void;
}

/** One attempt: the body that was sent, and the answer. */
export function AttemptDrawer({ place, attemptId, steps, onClose }: AttemptDrawerProps) {
  return (
    <DetailDrawer isOpen={attemptId !== undefined} onClose={onClose} title={t`Delivery`} steps={steps}>
      {attemptId !== undefined && <AttemptDetails key={attemptId} place={place} attemptId={attemptId} />}
    </DetailDrawer>
  );
}

function AttemptDetails({ place, attemptId }: { place: WebhookPlace; attemptId: string }) {
  const nowMs = useNow();
  const query = useQuery(attemptQuery(place, attemptId));
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The delivery could not be loaded`}>
      {(attempt) => (attempt === null ? <NoLongerKept /> : <Shown attempt={attempt} nowMs={nowMs} />)}
    </Loaded>
  );
}

function NoLongerKept() {
  return (
    <p className={classes.empty}>
      <Trans>This delivery is no longer kept.</Trans>
    </p>
  );
}

function Shown({ attempt, nowMs }: { attempt: AttemptDetail; nowMs: number }) {
  const { type, eventId, at, status, durationMs, error, payload, answer } = attempt;
  return (
    <>
      <Facts
        facts={[
          { label: t`Event`, value: labelOf(type) },
          { label: t`Event id`, value: <code>{eventId}</code> },
          { label: t`Sent`, value: <MomentExact at={at} nowMs={nowMs} /> },
          {
            label: t`Answer`,
            value: (
              <Tag tone={error === null ? 'good' : 'danger'}>
                {status === null ? t`No answer` : String(status)}
              </Tag>
            ),
          },
          { label: t`Duration`, value: `${groupCount(durationMs)} ms` },
          ...(error === null ? [] : [{ label: t`What went wrong`, value: <bdi>{failureText(error)}</bdi> }]),
        ]}
      />
      <Body title={t`Payload`} text={payload} absence={t`The payload of this delivery was not kept.`} />
      <Body title={t`Body of the answer`} text={answer} absence={t`The answer had no body.`} />
    </>
  );
}

function Body({ title, text, absence }: { title: string; text: string | null; absence: string }) {
  return (
    <section className={classes.body} aria-label={title}>
      <h3 className={classes.bodyTitle}>{title}</h3>
      {text === null ? (
        <p className={classes.quiet}>{absence}</p>
      ) : (
        <CodeBlock {...readBody(text)} copyText={text} copyLabel={t`Copy: ${title}`} />
      )}
    </section>
  );
}
