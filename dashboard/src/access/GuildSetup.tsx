import type { Guild } from '../api/guilds.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import classes from './GuildSetup.module.css';
import { stateTexts } from './guild-texts.ts';

/** Shows what is missing in a guild's set-up and who can add it. Owners of guilds have no command line to do it with. */
export function GuildSetup({ guild }: { guild: Guild }) {
  if (guild.state === 'ready') return null;
  return (
    <div className={classes.setup}>
      <p className={classes.text}>{stateTexts[guild.state].explanation}</p>
      <p className={classes.text}>
        They need the id of the guild: <code>{guild.guildId}</code>{' '}
        <CopyAction value={guild.guildId} label={`Copy the id of ${guild.name}`} />
      </p>
    </div>
  );
}
