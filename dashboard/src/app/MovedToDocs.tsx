import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useGuild } from '../access/use-guild.ts';
import { docsAddress } from '../components/addresses.ts';
import { LoadingState } from '../components/LoadingState.tsx';

/** The former page "API" of a guild: its examples are in the reference now. */
export function MovedToDocs() {
  const { guildId } = useGuild();
  useEffect(() => {
    window.location.replace(`${docsAddress(guildId)}${window.location.hash}`);
  }, [guildId]);
  return <LoadingState label={t`Opening the API reference`} />;
}
