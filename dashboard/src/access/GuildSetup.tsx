import type { Guild } from '../api/guilds.ts';
import { CodeBlock } from '../components/CodeBlock.tsx';
import classes from './GuildSetup.module.css';
import { setupCommand, stateTexts } from './guild-texts.ts';

/** What a guild lacks, and the line with which the operator puts it right. */
export function GuildSetup({ guild }: { guild: Guild }) {
  if (guild.state === 'ready') return null;
  return (
    <div className={classes.setup}>
      <p className={classes.text}>{stateTexts[guild.state].explanation}</p>
      <CodeBlock
        code={setupCommand(guild)}
        language="shell"
        copyLabel={`Copy the command that sets up ${guild.name}`}
      />
    </div>
  );
}
