import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { LoggedRequest } from '../api/requests.ts';
import { Breakable } from '../components/Breakable.tsx';
import { CopyAction } from '../components/CopyAction.tsx';
import { DetailDrawer, type DrawerSteps } from '../components/DetailDrawer.tsx';
import { Facts } from '../components/Facts.tsx';
import { millisecondsText } from '../components/language-formats.ts';
import { MomentExact } from '../components/Moment.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { reasonText } from '../keys/key-usage.ts';
import classes from './Requests.module.css';
import { adviceFor, remedyFor } from './refusal-advice.ts';
import { routeLabel } from './request-counts.ts';

interface RequestDrawerProps {
  guild: Guild;
  request: LoggedRequest | undefined;
  keyName: string;
  steps: DrawerSteps | undefined;
  onClose: () => void;
}

/** One request: what was asked, what the refusal means, and how to mend it. */
export function RequestDrawer({ guild, request, keyName, steps, onClose }: RequestDrawerProps) {
  return (
    <DetailDrawer isOpen={request !== undefined} onClose={onClose} title={t`Request`} steps={steps}>
      {request && <Details guild={guild} request={request} keyName={keyName} />}
    </DetailDrawer>
  );
}

function KeyLink({ guild, name }: { guild: Guild; name: string }) {
  return (
    <Link to={`/guilds/${guild.guildId}/keys`} className={classes.key ?? ''}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function Details({ guild, request, keyName }: { guild: Guild; request: LoggedRequest; keyName: string }) {
  const nowMs = useNow();
  const { requestId, at, method, path, route, status, code, message, durationMs, address, userAgent } =
    request;
  const facts: { label: string; value: ReactNode }[] = [
    {
      label: t`Answer`,
      value: (
        <Tag tone={status < 400 ? 'good' : 'danger'}>{`${status}${code === null ? '' : ` ${code}`}`}</Tag>
      ),
    },
    { label: t`When`, value: <MomentExact at={at} nowMs={nowMs} /> },
    { label: t`Key`, value: <KeyLink guild={guild} name={keyName} /> },
    { label: t`Route`, value: <Breakable>{routeLabel(route)}</Breakable> },
    {
      label: t({ message: 'From', context: 'address of a caller' }),
      value: address === '' ? t`Unknown` : <code>{address}</code>,
    },
    { label: t`Program`, value: userAgent === '' ? t`Did not say` : <bdi>{userAgent}</bdi> },
    { label: t`Duration`, value: millisecondsText(durationMs) },
    {
      label: t`Request id`,
      value: (
        <span className={classes.id}>
          <code>{requestId}</code>
          <CopyAction value={requestId} label={t`Copy the request id`} />
        </span>
      ),
    },
  ];
  const advice = adviceFor(request);
  const remedy = remedyFor(request);
  return (
    <>
      <p className={classes.asked}>
        <code>
          <b>{method}</b>{' '}
          <bdi>
            <Breakable>{path}</Breakable>
          </bdi>
        </code>
      </p>
      {code !== null && (
        <section className={classes.refusal} aria-label={t`Why it was refused`}>
          <h3>{reasonText(code)}</h3>
          {message !== null && <p dir="auto">{message}</p>}
          {advice && <p>{advice}</p>}
          {remedy && (
            <p>
              <Link to={`/guilds/${guild.guildId}/${remedy.page}`}>{remedy.label}</Link>
            </p>
          )}
        </section>
      )}
      <Facts facts={facts} />
    </>
  );
}
