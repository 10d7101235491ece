import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { may } from '../access/guild-texts.ts';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';

const ImportVerificationsDialog = lazy(async () => ({
  default: (await import('./ImportVerificationsDialog.tsx')).ImportVerificationsDialog,
}));

/** The button that imports verifications, where guilds may change them. */
export function ImportVerifications({ guild }: { guild: Guild }) {
  const { editsVerifications } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!editsVerifications || !may(guild, 'people.change')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        <Trans>Import verifications</Trans>
      </Button>
      {isOpen && (
        <Suspense>
          <ImportVerificationsDialog guildId={guild.guildId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
