import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Guild } from '../api/guilds.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import classes from './GuildSetup.module.css';
import { stateTexts } from './guild-texts.ts';

/** Shows what is missing in a guild's set-up and who can add it. Owners of guilds have no command line to do it with. */
export function GuildSetup({ guild }: { guild: Guild }) {
  if (guild.state === 'ready') return null;
  return (
    <div className={classes.setup}>
      <p className={classes.text}>{stateTexts()[guild.state].explanation}</p>
      <p className={classes.text}>
        <Trans>
          They need the id of the guild: <code>{guild.guildId}</code>{' '}
          <CopyAction value={guild.guildId} label={t`Copy the id of ${guild.name}`} />
        </Trans>
      </p>
    </div>
  );
}
