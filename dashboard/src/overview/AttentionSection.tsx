import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import { keysQuery } from '../api/keys.ts';
import type { Overview } from '../api/overview.ts';
import { refusalJumpsQuery } from '../api/requests.ts';
import { webhooksQuery } from '../api/webhooks.ts';
import { useNow } from '../components/use-now.ts';
import classes from './AttentionSection.module.css';
import {
  type Attention,
  keyAttention,
  refusalAttention,
  unusualAttention,
  webhookAttention,
} from './attention.ts';

const shownMax = 3;

/**
 * Things that need attention, the most urgent first. Each entry leads to the page where it is handled. A guild without
 * transactions has first steps instead of the good news that there is nothing.
 */
export function AttentionSection({ guild, overview }: { guild: Guild; overview: Overview }) {
  const entries = useAttention(guild, overview);
  const [isWhole, setIsWhole] = useState(false);
  if (entries.length === 0 && overview.transactions === 0) return null;
  const shown = isWhole ? entries : entries.slice(0, shownMax);
  return (
    <section className={classes.section} aria-labelledby="attention-title">
      <h2 id="attention-title" className={classes.title}>
        <Trans>Needs attention</Trans>
      </h2>
      {entries.length === 0 ? (
        <p className={classes.nothing}>
          <IconCircleCheck size={16} stroke={1.8} aria-hidden="true" />
          <Trans>Nothing in this range.</Trans>
        </p>
      ) : (
        <ul className={classes.entries}>
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {entries.length > shownMax && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t`Show fewer` : t`Show all ${entries.length}`}
        </Button>
      )}
    </section>
  );
}

function Entry({ entry: { tone, title, detail, action, to } }: { entry: Attention }) {
  const Icon = tone === 'danger' ? IconCircleX : IconAlertTriangle;
  return (
    <li data-tone={tone}>
      <Icon size={17} stroke={1.8} aria-hidden="true" />
      <p className={classes.text}>
        <strong>{title}</strong> <span className={classes.detail}>{detail}</span>
      </p>
      <Link to={to} className={classes.action ?? ''}>
        {action}
      </Link>
    </li>
  );
}

/** Lists that could not be loaded have no entries here; their own pages show the error. */
function useAttention(guild: Guild, overview: Overview): Attention[] {
  const nowMs = useNow();
  const { data: keys } = useQuery({ ...keysQuery(guild.guildId), enabled: may(guild, 'keys.read') });
  const { data: jumps } = useQuery({
    ...refusalJumpsQuery(guild.guildId),
    enabled: may(guild, 'keys.read'),
  });
  const { data: webhooks } = useQuery({
    ...webhooksQuery(guild.guildId),
    refetchInterval: false,
    enabled: may(guild, 'webhooks.read'),
  });
  const found = [
    ...webhookAttention(guild, webhooks?.webhooks ?? []),
    ...keyAttention(guild, keys ?? [], nowMs),
    ...refusalAttention(guild, jumps ?? [], keys ?? []),
    ...unusualAttention(guild, overview),
  ];
  return [
    ...found.filter(({ tone }) => tone === 'danger'),
    ...found.filter(({ tone }) => tone === 'warning'),
  ];
}
