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
  const { data: players = [] } = useQuery({ ...playersQuery(guildId, settled), enabled: isUsed });
  const known = new Map(players.map((player) => [player.playerId, player]));
  const typed = text.trim();
  // Any id can be opened, also that of a player who has no account yet.
  const options = typed === '' || known.has(typed) ? [...known.keys()] : [...known.keys(), typed];
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
      filter={({ options: found }) => found}
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
