import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconCircleCheck, IconClockExclamation, IconClockX } from '@tabler/icons-react';
import type { ApiKey, KeyState } from '../api/keys.ts';
import { Hint } from '../components/Hint.tsx';
import { Moment } from '../components/Moment.tsx';
import { formatMoney } from '../components/money.ts';
import { Tag, type Tone } from '../components/Tag.tsx';
import classes from './KeyFacts.module.css';
import { stateLabels } from './key-list.ts';
import { explainScope } from './scopes.ts';

export function ScopeTags({ scopes }: { scopes: string[] }) {
  return (
    <ul className={classes.scopes}>
      {scopes.map((scope) => (
        <li key={scope}>
          <Hint label={explainScope(scope)} isTouchable>
            {(target) => (
              <span {...target}>
                <Tag>
                  <code>{scope}</code>
                </Tag>
              </span>
            )}
          </Hint>
        </li>
      ))}
    </ul>
  );
}

const looks: Record<KeyState, { tone: Tone; Icon: typeof IconCircleCheck }> = {
  active: { tone: 'good', Icon: IconCircleCheck },
  expiring: { tone: 'warning', Icon: IconClockExclamation },
  expired: { tone: 'danger', Icon: IconClockX },
};

export function KeyStateTag({ state }: { state: KeyState }) {
  const { tone, Icon } = looks[state];
  return (
    <Tag tone={tone} icon={<Icon size={14} stroke={1.9} aria-hidden="true" />}>
      {stateLabels()[state]}
    </Tag>
  );
}

export function LastUsed({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  if (apiKey.lastUsedAt === null)
    return (
      <span className={classes.never}>
        <Trans>Never</Trans>
      </span>
    );
  return <Moment at={apiKey.lastUsedAt} nowMs={nowMs} />;
}

export function Creator({ creator }: { creator: ApiKey['creator'] }) {
  return (
    <Hint label={creator.detail} isTouchable>
      {(target) => <bdi {...target}>{creator.name}</bdi>}
    </Hint>
  );
}

export function limitText(amount: number | null): string {
  return amount === null ? t`No limit` : formatMoney(String(amount));
}

/** The restrictions of a key: limits and networks. Also shows until when a replaced value is valid. */
export function KeyMarks({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  const { limits, networks, routeLimits, formerUntil } = apiKey;
  const isLimited = limits.amountMax !== null || limits.withdrawnPerDayMax !== null || routeLimits.length > 0;
  const hasFormer = formerUntil !== null && Date.parse(formerUntil) > nowMs;
  const marks = [
    isLimited && t`Limited`,
    networks.length > 0 && t`Bound to addresses`,
    hasFormer && t`Old value still valid`,
  ];
  const shown = marks.filter((mark) => mark !== false);
  if (shown.length === 0) return null;
  return <span className={classes.marks}>{shown.join(' · ')}</span>;
}
