import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Menu, Popover, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconColumns3, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../access/session-context.ts';
import { type Preferences, savePreferences } from '../api/preferences.ts';
import { ledgerAddress } from '../components/addresses.ts';
import ledger from './Ledger.module.css';
import classes from './LedgerViews.module.css';
import { viewSearch } from './ledger-filters.ts';
import { columnChoices } from './transaction-columns.tsx';

const viewsMax = 20;
const nameLengthMax = 60;

function useSaving() {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Preferences>) => savePreferences(queryClient, session, changes),
    onError: ({ message }) => notifications.show({ color: 'red', title: t`Not saved`, message }),
  });
}

/** Saved views of the ledger, and its columns. Both are settings of the person. */
export function LedgerViews({ guildId }: { guildId: string }) {
  return (
    <>
      <SavedViews guildId={guildId} />
      <ColumnChoice />
    </>
  );
}

function SavedViews({ guildId }: { guildId: string }) {
  const { views } = useSession().preferences;
  const saving = useSaving();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [isOpen, popover] = useDisclosure(false);
  const [name, setName] = useState('');
  const own = views.filter((view) => view.guildId === guildId);
  const save = () => {
    const wanted = name.trim();
    if (wanted === '') return;
    const others = views.filter((view) => view.guildId !== guildId || view.name !== wanted);
    saving.mutate({ views: [...others, { guildId, name: wanted, search: viewSearch(search) }] });
    setName('');
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && popover.close()}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.button ?? ''}
          leftSection={<IconBookmark size={15} stroke={1.7} />}
          onClick={popover.toggle}
        >
          <Trans>Views</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Saved views`} className={classes.views ?? ''}>
        {own.length === 0 && (
          <p className={ledger.quiet}>
            <Trans>Save filters, range and order under a name.</Trans>
          </p>
        )}
        <ul className={classes.viewList}>
          {own.map((view) => (
            <li key={view.name}>
              <Button
                variant="subtle"
                color="gray"
                justify="flex-start"
                className={classes.view ?? ''}
                onClick={() => {
                  popover.close();
                  navigate(`${ledgerAddress(guildId)}${view.search === '' ? '' : `?${view.search}`}`);
                }}
              >
                <bdi>{view.name}</bdi>
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t`Delete the view ${view.name}`}
                onClick={() => saving.mutate({ views: views.filter((one) => one !== view) })}
              >
                <IconTrash size={16} stroke={1.7} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <form
          className={classes.newView}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextInput
            label={t`Save this view as`}
            value={name}
            maxLength={nameLengthMax}
            disabled={views.length >= viewsMax}
            description={views.length >= viewsMax ? t`Delete one first: 20 is the most.` : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={name.trim() === '' || views.length >= viewsMax}
          >
            <Trans>Save</Trans>
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

export function ColumnChoice() {
  const { density, hiddenColumns } = useSession().preferences;
  const saving = useSaving();
  const toggle = (id: string) =>
    saving.mutate({
      hiddenColumns: hiddenColumns.includes(id)
        ? hiddenColumns.filter((one) => one !== id)
        : [...hiddenColumns, id],
    });
  return (
    <Menu position="bottom-end" shadow="md" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.button ?? ''}
          leftSection={<IconColumns3 size={15} stroke={1.7} />}
        >
          <Trans>Columns</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Trans>Shown columns</Trans>
        </Menu.Label>
        {columnChoices().map(({ id, label }) => (
          <Menu.CheckboxItem key={id} checked={!hiddenColumns.includes(id)} onChange={() => toggle(id)}>
            {label}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Label>
          <Trans>Rows</Trans>
        </Menu.Label>
        <Menu.RadioGroup
          value={density}
          // The group returns a string; its items are exactly the densities.
          onChange={(value) => saving.mutate({ density: value as Preferences['density'] })}
        >
          <Menu.RadioItem value="comfortable">
            <Trans>Comfortable</Trans>
          </Menu.RadioItem>
          <Menu.RadioItem value="compact">
            <Trans>Compact</Trans>
          </Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
