import { t } from '@lingui/core/macro';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import type { ApiKey } from '../api/keys.ts';
import { overviewAddress } from '../components/addresses.ts';

/** A step from an empty guild to its first transaction. */
export interface FirstStep {
  title: string;
  explanation: string;
  isDone: boolean;
  /** Undefined when the person may not do it. */
  link: { label: string; to: string; isOutside?: boolean } | undefined;
}

/** The steps of a guild without transactions. `keys` is undefined for a person who may not see them. */
export function firstSteps(guild: Guild, keys: readonly ApiKey[] | undefined): FirstStep[] {
  const { display, timeZone } = guild;
  const page = (name: string) => `${overviewAddress(guild.guildId)}/${name}`;
  const hasDisplay = display.currencyName !== null || display.currencySymbol !== null || timeZone !== 'UTC';
  const mayMakeKeys = may(guild, 'keys.issue') && guild.state === 'ready';
  return [
    {
      title: t`Name the currency`,
      explanation: t`Its name and symbol stand beside every amount, and the calendar says where a day begins.`,
      isDone: hasDisplay,
      link: may(guild, 'settings.change') ? { label: t`Open the settings`, to: page('settings') } : undefined,
    },
    {
      title: t`Create an API key`,
      explanation:
        guild.state === 'no-plan'
          ? t`Keys need an active plan: ask the operator of this service for one.`
          : t`A bot or a game server needs a key with “Post to the ledger”.`,
      isDone: keys !== undefined && keys.length > 0,
      link: mayMakeKeys ? { label: t`Create key`, to: page('keys') } : undefined,
    },
    {
      title: t`Send the first request`,
      explanation: t`The reference has examples in several languages, which can be tried out there.`,
      isDone: keys?.some(({ lastUsedAt }) => lastUsedAt !== null) ?? false,
      link: { label: t`Open the reference`, to: '/docs', isOutside: true },
    },
    {
      title: t`Post the first transaction`,
      explanation: t`It appears here as soon as the service has it. This page needs no reload.`,
      isDone: false,
      link: { label: t`Open the ledger`, to: page('ledger') },
    },
  ];
}
