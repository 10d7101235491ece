import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Player, playersQuery } from '../api/players.ts';
import { formatMoney } from '../components/money.ts';
import { playerAddress } from './addresses.ts';
import classes from './Ledger.module.css';

const pauseMs = 200;

/** Finds a player by the beginning of an id or of a verified name, and goes there. */
export function PlayerSearch({ guildId }: { guildId: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [isUsed, setUsed] = useState(false);
  const [settled] = useDebouncedValue(text, pauseMs);
  const query = useQuery({ ...playersQuery(guildId, settled), enabled: isUsed });
  const isAnswered = settled === text && query.isSuccess && !query.isPlaceholderData;
  const found = (query.data ?? []).filter((player) => isAnswered || beginsWith(player, text));
  const known = new Map(found.map((player) => [player.playerId, player]));
  const options = optionsFor({ typed: text.trim(), ids: [...known.keys()], isAnswered });
  return (
    <Autocomplete
      aria-label="Find a player by id or verified name"
      placeholder="Find a player"
      className={classes.search ?? ''}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      value={text}
      onChange={setText}
      onFocus={() => setUsed(true)}
      data={options}
      // The service has searched already, in the ids and in the names.
      filter={({ options: offered }) => offered}
      renderOption={({ option }) => <Found playerId={option.value} player={known.get(option.value)} />}
      onOptionSubmit={(playerId) => navigate(playerAddress(guildId, playerId))}
      selectFirstOptionOnChange
      comboboxProps={{ shadow: 'md', position: 'bottom-end' }}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
    />
  );
}

interface OptionsInput {
  typed: string;
  ids: string[];
  isAnswered: boolean;
}

/** Any id can be opened, also that of a player without an account; but only once none was found under it. */
function optionsFor({ typed, ids, isAnswered }: OptionsInput): string[] {
  return !isAnswered || typed === '' || ids.includes(typed) ? ids : [...ids, typed];
}

/** Until the answer is there, Enter must not lead to a player of the previous one. */
function beginsWith({ playerId, username }: Player, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [playerId, username ?? ''].some((name) => name.toLowerCase().startsWith(wanted));
}

function Found({ playerId, player }: { playerId: string; player: Player | undefined }) {
  if (!player) {
    return (
      <span>
        Open player id <code>{playerId}</code>
      </span>
    );
  }
  return (
    <span className={classes.found}>
      <bdi className={classes.foundName}>{player.username ?? playerId}</bdi>
      {player.username !== null && <span className={classes.foundId}>{playerId}</span>}
      <span className={classes.foundBalance}>{formatMoney(player.balance)}</span>
    </span>
  );
}
