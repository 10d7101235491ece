import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { routeLimitText } from '../access/route-limit-texts.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, type KeyDay, keyUsageQuery } from '../api/keys.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { RequestBars } from '../charts/RequestBars.tsx';
import { Breakable } from '../components/Breakable.tsx';
import { DetailDrawer } from '../components/DetailDrawer.tsx';
import { formatDay, formatShortDay } from '../components/days.ts';
import { Facts } from '../components/Facts.tsx';
import { Moment } from '../components/Moment.tsx';
import { groupCount } from '../components/money.ts';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { useNow } from '../components/use-now.ts';
import { LastUsed, limitText } from './KeyFacts.tsx';
import classes from './KeyUsage.module.css';
import { reasonText, refusedOn, usageTotals } from './key-usage.ts';

interface KeyUsageDrawerProps {
  guild: Guild;
  apiKey: ApiKey;
  onClose: () => void;
}

/** The use of a key in the last 30 days, and its settings. */
export function KeyUsageDrawer({ guild, apiKey, onClose }: KeyUsageDrawerProps) {
  const query = useQuery(keyUsageQuery(guild.guildId, apiKey.id));
  return (
    <DetailDrawer isOpen onClose={onClose} title={t`Key`}>
      <h2 className={classes.name} dir="auto">
        <Breakable>{apiKey.name}</Breakable>
      </h2>
      <KeyDetails apiKey={apiKey} />
      <h3 className={classes.heading}>
        <Trans>Requests in the last 30 days</Trans>
      </h3>
      <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The usage could not be loaded`}>
        {(days) => (
          <Usage
            days={days}
            requests={`/guilds/${guild.guildId}/requests?key=${encodeURIComponent(apiKey.id)}`}
          />
        )}
      </Loaded>
    </DetailDrawer>
  );
}

function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const nowMs = useNow();
  const { note, networks, limits, routeLimits, formerUntil } = apiKey;
  const hasFormer = formerUntil !== null && Date.parse(formerUntil) > nowMs;
  return (
    <Facts
      facts={[
        ...(note === null ? [] : [{ label: t`Note`, value: <span className={classes.note}>{note}</span> }]),
        { label: t`Last used`, value: <LastUsed apiKey={apiKey} nowMs={nowMs} /> },
        { label: t`Expires`, value: <Moment at={apiKey.expiresAt} nowMs={nowMs} /> },
        ...(hasFormer
          ? [{ label: t`Old value ends`, value: <Moment at={formerUntil} nowMs={nowMs} /> }]
          : []),
        { label: t`Largest amount`, value: limitText(limits.amountMax) },
        { label: t`Most withdrawn per day`, value: limitText(limits.withdrawnPerDayMax) },
        { label: t`Used from`, value: networks.length === 0 ? t`Anywhere` : <Lines texts={networks} /> },
        ...(routeLimits.length === 0
          ? []
          : [{ label: t`Limits of routes`, value: <Lines texts={routeLimits.map(routeLimitText)} /> }]),
      ]}
    />
  );
}

function Lines({ texts }: { texts: string[] }) {
  return (
    <ul className={classes.networks}>
      {texts.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

interface UsageProps {
  days: KeyDay[];
  /** The address of the key's requests. */
  requests: string;
}

function Usage({ days, requests }: UsageProps) {
  const { answered, refused, byCode } = usageTotals(days);
  if (answered + refused === 0) {
    return (
      <p className={classes.quiet}>
        <Trans>None. Once a program uses the key, its requests show here.</Trans>
      </p>
    );
  }
  const bars = days.map((day) => ({
    day: day.day,
    label: formatDay(day.day),
    shortLabel: formatShortDay(day.day),
    answered: day.answered,
    refused: refusedOn(day),
  }));
  return (
    <>
      <p className={classes.totals}>
        <Trans>
          <strong>{groupCount(answered)}</strong> answered, <strong>{groupCount(refused)}</strong> refused
        </Trans>
      </p>
      <ChartFrame
        title={t`Requests by day`}
        headings={[t`Day`, t`Answered`, t`Refused`]}
        rows={bars.map((bar) => [bar.label, String(bar.answered), String(bar.refused)])}
      >
        <RequestBars days={bars} />
      </ChartFrame>
      {byCode.length > 0 && (
        <>
          <h3 className={classes.heading}>
            <Trans>Why requests were refused</Trans>
          </h3>
          <ul className={classes.reasons}>
            {byCode.map(({ code, count }) => (
              <li key={code}>
                <span>
                  {reasonText(code)} <code className={classes.code}>{code}</code>
                </span>
                <strong>{groupCount(count)}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={classes.requests}>
        <Link to={requests}>
          <Trans>Its requests, and why some were refused</Trans>
        </Link>
      </p>
    </>
  );
}
