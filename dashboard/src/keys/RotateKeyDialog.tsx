import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, keysQuery, rotateKey } from '../api/keys.ts';
import { isUndecided } from '../api/request.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { lazily } from '../components/lazily.ts';
import { Notice } from '../components/Notice.tsx';
import { Segments } from '../components/Segments.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './Dialogs.module.css';
import { useShowIssuedKey } from './issued-key-context.ts';

interface RotateKeyDialogProps {
  guild: Guild;
  apiKey: ApiKey;
  onClose: () => void;
}

const overlaps = lazily(() => [
  { value: '0', label: t`Not at all` },
  { value: '1', label: t`1 hour` },
  { value: '24', label: t`1 day` },
  { value: '72', label: t`3 days` },
  { value: '168', label: t`7 days` },
]);

/** Replaces the value of a key. Programs can use the old value for some time. */
export function RotateKeyDialog({ guild, apiKey, onClose }: RotateKeyDialogProps) {
  const isPhone = useIsPhone();
  const [overlap, setOverlap] = useState('24');
  const rotation = useRotation(guild, apiKey, onClose);
  return (
    <Modal opened onClose={onClose} title={t`Rotate the key`} size="lg" fullScreen={isPhone}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          rotation.mutate(Number(overlap));
        }}
      >
        <p className={classes.text}>
          <Trans>
            <strong>
              <bdi>{apiKey.name}</bdi>
            </strong>{' '}
            keeps its name, scopes, limits and expiry. Put the new value into its program while the old one (
            <code>{apiKey.prefix}…</code>) still works.
          </Trans>
        </p>
        {rotation.isError && <RotationFault error={rotation.error} />}
        <div>
          <p className={classes.label} id="overlap-label">
            <Trans>How long the old value stays valid</Trans>
          </p>
          <Segments
            fullWidth
            isVertical={isPhone}
            aria-labelledby="overlap-label"
            data={overlaps()}
            value={overlap}
            onChange={setOverlap}
          />
          <p className={classes.range}>
            {overlap === '0'
              ? t`Programs with an old value are refused at once. Choose this when the value has leaked.`
              : t`Values from earlier rotations end then at the latest.`}
          </p>
        </div>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" color={overlap === '0' ? 'red' : ''} loading={rotation.isPending}>
            <Trans>Rotate</Trans>
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

function useRotation(guild: Guild, apiKey: ApiKey, onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  const showIssuedKey = useShowIssuedKey();
  return useMutation({
    mutationFn: (overlapHours: number) =>
      rotateKey(session, guild.guildId, { keyId: apiKey.id, overlapHours }),
    onSuccess: (value) => {
      showIssuedKey({ name: apiKey.name, value, scopes: apiKey.scopes });
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysQuery(guild.guildId).queryKey }),
  });
}

function RotationFault({ error }: { error: Error }) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : t`The value was not changed`} isAnnounced>
      {isOpen
        ? t`${error.message} The value may or may not have been replaced. If it was, the old one works for the time you chose: try again within it.`
        : error.message}
    </Notice>
  );
}
