import type { Guild } from '../api/guilds.ts';
import { CodeBlock } from '../components/CodeBlock.tsx';
import classes from './GuildSetup.module.css';
import { setupArguments, stateTexts } from './guild-texts.ts';
import { useCommandLine } from './use-command-line.ts';

/** Shows what is missing in a guild's set-up, and the command with which the operator adds it. */
export function GuildSetup({ guild }: { guild: Guild }) {
  const commandLine = useCommandLine();
  if (guild.state === 'ready') return null;
  return (
    <div className={classes.setup}>
      <p className={classes.text}>{stateTexts[guild.state].explanation}</p>
      <CodeBlock
        code={commandLine(setupArguments(guild))}
        language="shell"
        copyLabel={`Copy the command that sets up ${guild.name}`}
      />
    </div>
  );
}
