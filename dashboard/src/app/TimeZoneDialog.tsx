import { Button, Group, Modal, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { savePreferences } from '../api/preferences.ts';
import type { Session } from '../api/session.ts';
import { Notice } from '../components/Notice.tsx';
import { browserTimeZone, zonedFormat } from '../components/time-zone.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './UserMenu.module.css';

const clock = zonedFormat({ weekday: 'short', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

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
    <Modal opened onClose={onClose} title="Time zone" fullScreen={isPhone}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <p className={classes.question}>
          Lists, details and exported files show times in this zone. Sums per day are kept in UTC, and say so.
        </p>
        <Select
          label="Times are shown in"
          data={zones(session.preferences.timeZone)}
          value={zone}
          onChange={setZone}
          placeholder={`This browser’s zone, ${browserZone}`}
          description={`Now ${clock(Date.now(), zone ?? browserZone)}`}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Follow this browser' }}
          nothingFoundMessage="No zone has this name"
          maxDropdownHeight={220}
          limit={200}
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
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** All zones that the browser knows, UTC first, and the chosen one even if this browser does not know it. */
function zones(chosen: string | null): string[] {
  return [...new Set(['UTC', ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])];
}
