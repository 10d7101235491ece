import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { may } from '../access/guild-texts.ts';
import { useHasDraft } from '../access/use-form-draft.ts';
import type { Guild } from '../api/guilds.ts';
import { postFormId } from './post-form.ts';

const loadDialog = () => import('./NewTransactionDialog.tsx');
const NewTransactionDialog = lazy(async () => ({ default: (await loadDialog()).NewTransactionDialog }));

/** The button of a person's page that posts to their account. People who only read do not see it. */
export function NewTransactionButton({ guild, playerId }: { guild: Guild; playerId: string }) {
  const [isOpen, setOpen] = useState(useHasDraft(postFormId(playerId)));
  if (!may(guild, 'ledger.post')) return null;
  return (
    <>
      <Button
        leftSection={<IconPlus size={17} stroke={2} />}
        onClick={() => setOpen(true)}
        onMouseEnter={loadDialog}
        onFocus={loadDialog}
      >
        <Trans>New transaction</Trans>
      </Button>
      {isOpen && (
        <Suspense>
          <NewTransactionDialog guild={guild} playerId={playerId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
