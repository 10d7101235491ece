import { t } from '@lingui/core/macro';
import { Autocomplete } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PersonOption } from '../access/PersonOption.tsx';
import { useGuildSearch } from '../access/use-guild-search.ts';
import type { SearchResult } from '../api/search.ts';
import { formatMoney } from '../components/money.ts';

interface PersonFieldProps {
  guildId: string;
  id: string;
  label: string;
  description?: ReactNode;
  /** '' while nobody is chosen. */
  playerId: string;
  onPick: (playerId: string) => void;
  error?: ReactNode;
  /** Offers a typed id that nobody has yet, to open an account with it. */
  allowsNew?: boolean;
  hasFocus?: boolean;
  /** Empties the field when somebody is chosen, for a field that adds people to a list. */
  isForMany?: boolean;
  /** Called with pasted text; true when it was used, so that it is not inserted. */
  onPasteText?: (text: string) => boolean;
}

interface Choice {
  playerId: string;
  name: string;
  /** Undefined for a person without an account here. */
  balance: string | undefined;
}

/** A search field that chooses one person by any part of a name or an id. */
export function PersonField(props: PersonFieldProps) {
  const { guildId, id, label, description, playerId, onPick, error } = props;
  const { allowsNew = false, hasFocus = false, isForMany = false, onPasteText } = props;
  const [text, setText] = useState(playerId);
  const { result, isAnswered } = useGuildSearch(guildId, text, playerId === '');
  // People found for an earlier text must not be chosen for this one.
  const choices = isAnswered ? choicesOf(result, allowsNew ? text.trim() : '') : [];
  const byLabel = new Map(choices.map((choice) => [labelOf(choice), choice]));
  return (
    <Autocomplete
      id={id}
      label={label}
      description={description}
      placeholder={t`Any part of a name or an id`}
      autoComplete="off"
      spellCheck={false}
      required={!isForMany}
      error={error}
      value={text}
      onChange={(next) => {
        const picked = byLabel.get(next);
        setText(picked && isForMany ? '' : next);
        onPick(picked?.playerId ?? '');
      }}
      onPaste={(event) => {
        if (onPasteText?.(event.clipboardData.getData('text'))) event.preventDefault();
      }}
      onBlur={() => {
        const exact = exactChoice(choices, text.trim());
        if (playerId !== '' || !isAnswered || !exact) return;
        setText(isForMany ? '' : labelOf(exact));
        onPick(exact.playerId);
      }}
      data={[...byLabel.keys()]}
      // The service has already filtered the options.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const choice = byLabel.get(option.value);
        return choice ? <Option guildId={guildId} choice={choice} /> : option.value;
      }}
      comboboxProps={{ shadow: 'md' }}
      {...(hasFocus && { 'data-autofocus': true })}
    />
  );
}

function Option({ guildId, choice }: { guildId: string; choice: Choice }) {
  const { name, playerId, balance } = choice;
  return (
    <PersonOption guildId={guildId} playerId={playerId} name={name}>
      {balance === undefined ? t`No account yet` : formatMoney(balance)}
    </PersonOption>
  );
}

function labelOf({ name, playerId }: Choice): string {
  return name === '' ? playerId : `${name} · ${playerId}`;
}

/** The people found, then a person of other guilds, then the typed text as a new id. */
function choicesOf(result: SearchResult | undefined, newId: string): Choice[] {
  const members = (result?.members ?? []).map(({ playerId, name, balance, transactions }) => ({
    playerId,
    name: name ?? '',
    balance: transactions > 0 ? balance : undefined,
  }));
  const stranger = result?.stranger;
  const people: Choice[] = [
    ...members,
    ...(stranger ? [{ playerId: stranger.playerId, name: stranger.username, balance: undefined }] : []),
  ];
  const isTaken = people.some(({ playerId }) => playerId === newId);
  return newId === '' || isTaken ? people : [...people, { playerId: newId, name: '', balance: undefined }];
}

/** The only person whose name or id is exactly this; a new id has to be chosen. */
function exactChoice(choices: readonly Choice[], text: string): Choice | undefined {
  const wanted = text.toLowerCase();
  const known = choices.filter(({ name, balance }) => name !== '' || balance !== undefined);
  const exact = known.filter(({ name, playerId }) => playerId === text || name.toLowerCase() === wanted);
  return exact.length === 1 ? exact[0] : undefined;
}
