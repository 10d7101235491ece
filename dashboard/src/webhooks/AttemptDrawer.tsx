import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../access/Loaded.tsx';
import { ApiError } from '../api/request.ts';
import { attemptQuery, type WebhookPlace } from '../api/webhooks.ts';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { DetailDrawer, type DrawerSteps } from '../components/DetailDrawer.tsx';
import { Facts } from '../components/Facts.tsx';
import { Moment } from '../components/Moment.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { readBody } from './attempt-body.ts';
import { labelOf } from './event-texts.ts';
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
    <DetailDrawer isOpen={attemptId !== undefined} onClose={onClose} title="Delivery" steps={steps}>
      {attemptId !== undefined && <AttemptDetails key={attemptId} place={place} attemptId={attemptId} />}
    </DetailDrawer>
  );
}

function AttemptDetails({ place, attemptId }: { place: WebhookPlace; attemptId: string }) {
  const nowMs = useNow();
  const query = useQuery(attemptQuery(place, attemptId));
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <p className={classes.empty}>This delivery is no longer kept.</p>;
  }
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure="The delivery could not be loaded">
      {({ type, eventId, at, status, durationMs, error, payload, answer }) => (
        <>
          <Facts
            facts={[
              { label: 'Event', value: labelOf(type) },
              { label: 'Event id', value: <code>{eventId}</code> },
              { label: 'Sent', value: <Moment at={at} nowMs={nowMs} /> },
              {
                label: 'Answer',
                value: (
                  <Tag tone={error === null ? 'good' : 'danger'}>
                    {status === null ? 'No answer' : String(status)}
                  </Tag>
                ),
              },
              { label: 'Duration', value: `${durationMs.toLocaleString('en')} ms` },
              ...(error === null ? [] : [{ label: 'What went wrong', value: <bdi>{error}</bdi> }]),
            ]}
          />
          <Body title="Payload" text={payload} absence="The payload of this delivery was not kept." />
          <Body title="Body of the answer" text={answer} absence="The answer had no body." />
        </>
      )}
    </Loaded>
  );
}

function Body({ title, text, absence }: { title: string; text: string | null; absence: string }) {
  return (
    <section className={classes.body} aria-label={title}>
      <h3 className={classes.bodyTitle}>{title}</h3>
      {text === null ? (
        <p className={classes.quiet}>{absence}</p>
      ) : (
        <CodeBlock {...readBody(text)} copyText={text} copyLabel={`Copy: ${title}`} />
      )}
    </section>
  );
}
