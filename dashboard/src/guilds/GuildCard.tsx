import { Trans } from '@lingui/react/macro';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { GuildSetup } from '../access/GuildSetup.tsx';
import { planText, positionText, stateTexts } from '../access/guild-texts.ts';
import { guildIconAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import { NameMark } from '../components/NameMark.tsx';
import { Tag } from '../components/Tag.tsx';
import { dayInWords } from '../components/time.ts';
import classes from './GuildCard.module.css';

/** A guild that is ready for use. */
export function GuildCard({ guild }: { guild: Guild }) {
  return (
    <li className={classes.card}>
      <NameMark id={guild.guildId} name={guild.name} size="lg" picture={guildIconAddress(guild)} />
      <div className={classes.texts}>
        <GuildLink guild={guild} isCover />
        <div className={classes.tags}>
          <Tag>{positionText(guild)}</Tag>
          {guild.role !== null && <Tag tone="good">{planText(guild)}</Tag>}
        </div>
        {guild.planUntil && (
          <p className={classes.until}>
            <Trans>Plan runs until {dayInWords(Date.parse(guild.planUntil))}</Trans>
          </p>
        )}
      </div>
      <IconChevronRight size={18} stroke={1.7} className={classes.arrow} aria-hidden="true" />
    </li>
  );
}

/** A guild whose set-up is not complete, with instructions. */
export function WaitingGuild({ guild }: { guild: Guild }) {
  return (
    <li className={classes.waiting}>
      <div className={classes.who}>
        <NameMark id={guild.guildId} name={guild.name} size="lg" picture={guildIconAddress(guild)} />
        <div className={classes.texts}>
          <GuildLink guild={guild} />
          <div className={classes.tags}>
            <Tag>{positionText(guild)}</Tag>
            {guild.state !== 'ready' && (
              <Tag tone="warning" icon={<IconAlertTriangle size={13} aria-hidden="true" />}>
                {stateTexts()[guild.state].label}
              </Tag>
            )}
          </div>
        </div>
      </div>
      <GuildSetup guild={guild} />
    </li>
  );
}

function GuildLink({ guild, isCover = false }: { guild: Guild; isCover?: boolean }) {
  return (
    <Link
      to={`/guilds/${guild.guildId}`}
      className={isCover ? `${classes.name} ${classes.cover}` : (classes.name ?? '')}
      dir="auto"
    >
      {guild.name}
    </Link>
  );
}
