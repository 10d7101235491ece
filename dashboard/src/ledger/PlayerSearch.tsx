import { Combobox, ScrollArea, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { playerAddress } from '../components/addresses.ts';
import { formatMoney } from '../components/money.ts';
import { useResultKeys } from '../components/use-result-keys.ts';
import classes from './Ledger.module.css';
import { type PlayerSearchResult, usePlayerSearch } from './use-player-search.ts';

const label = 'Find a player by id or verified name';

/** Finds a player by any part of a name or an id, and opens their page. */
export function PlayerSearch({ guildId }: { guildId: string }) {
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const combobox = useCombobox({ opened: isOpen });
  const result = usePlayerSearch(guildId, text, isOpen);
  const typed = text.trim();
  const ids = optionsFor(result, typed);
  const open = (playerId: string) => {
    setOpen(false);
    navigate(playerAddress(guildId, playerId));
  };
  const { selectedId, selectedRef, onKeyDown } = useResultKeys<HTMLDivElement>({
    text,
    ids,
    firstId: result.isAnswered && typed !== '' ? (result.players[0]?.playerId ?? null) : null,
    isWaiting: result.isWaiting,
    isOpen,
    onOpen: open,
  });
  const optionId = (playerId: string) => `${listId}-${ids.indexOf(playerId)}`;
  const note = noteFor(result, typed);
  return (
    <Combobox store={combobox} onOptionSubmit={open} shadow="md" position="bottom-end">
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <TextInput
          role="combobox"
          aria-label={label}
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && selectedId !== null ? optionId(selectedId) : undefined}
          placeholder="Find a player"
          className={classes.search ?? ''}
          leftSection={<IconSearch size={16} stroke={1.7} />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            onKeyDown(event);
            if (event.key === 'Escape') setOpen(false);
            if (event.key.startsWith('Arrow')) setOpen(true);
          }}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={ids.length === 0 && note === ''}>
        {note !== '' && (
          <div className={classes.searchNote} role="status">
            {note}
          </div>
        )}
        <Combobox.Options id={listId} aria-label={label}>
          <ScrollArea.Autosize mah={220} type="scroll" scrollbarSize="var(--combobox-padding)">
            {ids.map((playerId) => (
              <Combobox.Option
                key={playerId}
                ref={playerId === selectedId ? selectedRef : null}
                id={optionId(playerId)}
                value={playerId}
                selected={playerId === selectedId}
                aria-selected={playerId === selectedId}
              >
                <Found playerId={playerId} player={result.players.find((one) => one.playerId === playerId)} />
              </Combobox.Option>
            ))}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Any id can be opened, also that of a player without an account, but only after the search found none. */
function optionsFor({ players, isAnswered }: PlayerSearchResult, typed: string): string[] {
  const ids = players.map(({ playerId }) => playerId);
  return !isAnswered || typed === '' || ids.includes(typed) ? ids : [...ids, typed];
}

/** Explains an empty list; empty when there are players, or nothing was searched. */
function noteFor({ players, isWaiting, isFailed }: PlayerSearchResult, typed: string): string {
  if (players.length > 0) return '';
  if (isFailed) return 'The players could not be searched. Check your connection and try again.';
  if (isWaiting) return 'Searching …';
  return typed === '' ? '' : 'No player matches';
}

function Found({
  playerId,
  player,
}: {
  playerId: string;
  player: PlayerSearchResult['players'][number] | undefined;
}) {
  if (!player) {
    return (
      <span>
        Open player id <code>{playerId}</code>
      </span>
    );
  }
  return (
    <span className={classes.found}>
      <bdi className={classes.foundName}>{player.name ?? playerId}</bdi>
      {player.name !== null && <span className={classes.foundId}>{playerId}</span>}
      <span className={classes.foundBalance}>{formatMoney(player.balance)}</span>
    </span>
  );
}
