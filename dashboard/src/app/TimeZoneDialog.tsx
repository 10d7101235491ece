import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { savePreferences } from '../api/preferences.ts';
import type { Session } from '../api/session.ts';
import { Notice } from '../components/Notice.tsx';
import { TimeZoneSelect } from '../components/TimeZoneSelect.tsx';
import { browserTimeZone } from '../components/time-zone.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './UserMenu.module.css';

/** Sets the person's time zone, for every browser they sign in with. */
export function TimeZoneDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const isPhone = useIsPhone();
  const queryClient = useQueryClient();
  const [zone, setZone] = useState(session.preferences.timeZone);
  const saving = useMutation({
    mutationFn: () => savePreferences(queryClient, session, { timeZone: zone }),
    onSuccess: onClose,
  });
  const browserZone = browserTimeZone();
  return (
    <Modal opened onClose={onClose} title={t`Time zone`} fullScreen={isPhone}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <p className={classes.question}>
          <Trans>
            Times of day are shown to you in this zone. Days, months and files follow the calendar of the
            guild, which is the same for everybody.
          </Trans>
        </p>
        <TimeZoneSelect
          label={t`Times are shown in`}
          stored={session.preferences.timeZone}
          value={zone}
          usual={browserZone}
          onChange={setZone}
          placeholder={t`This browser’s zone, ${browserZone}`}
          clearable
          clearButtonProps={{ 'aria-label': t`Follow this browser` }}
          // Below the field it would cover the buttons.
          comboboxProps={{ position: 'top' }}
          data-autofocus
          mt="md"
        />
        {saving.isError && (
          <Notice tone="danger" isAnnounced>
            {saving.error.message}
          </Notice>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={saving.isPending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
