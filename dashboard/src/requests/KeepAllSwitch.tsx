import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { keepAllRequests } from '../api/requests.ts';
import { Moment } from '../components/Moment.tsx';
import { useNow } from '../components/use-now.ts';
import classes from './Requests.module.css';

const keptHours = 24;

/** Keeps all requests of a key for a day, not only the refused ones. */
export function KeepAllSwitch({ guild, apiKey }: { guild: Guild; apiKey: ApiKey }) {
  const session = useSession();
  const client = useQueryClient();
  const nowMs = useNow();
  const until = apiKey.keepsAllUntil;
  const isOn = until !== null && Date.parse(until) > nowMs;
  const keep = useMutation({
    mutationFn: (hours: number) => keepAllRequests(session, guild.guildId, { keyId: apiKey.id, hours }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(guild.guildId).queryKey }),
  });
  return (
    <div className={classes.keep}>
      <p>
        {isOn ? (
          <Trans>
            All requests of this key are kept, up to 2,000. This ends <Moment at={until} nowMs={nowMs} />.
          </Trans>
        ) : (
          t`Only refused requests of this key are kept. To see what a program does, keep all of them for a day.`
        )}
      </p>
      <Button
        variant="default"
        size="xs"
        loading={keep.isPending}
        onClick={() => keep.mutate(isOn ? 0 : keptHours)}
      >
        {isOn ? t`Keep only refused ones` : t`Keep all for 24 hours`}
      </Button>
      {keep.error && (
        <p role="alert" className={classes.failure}>
          {keep.error.message}
        </p>
      )}
    </div>
  );
}
