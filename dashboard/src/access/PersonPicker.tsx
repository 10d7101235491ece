import { t } from '@lingui/core/macro';
import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import type { SearchResult } from '../api/search.ts';
import { PersonOption } from './PersonOption.tsx';
import { useGuildSearch } from './use-guild-search.ts';

/** The picked person. Unknown fields are empty. */
export interface PickedPerson {
  name: string;
  playerId: string;
  chatId: string;
}

interface PersonPickerProps {
  guildId: string;
  onPick: (person: PickedPerson) => void;
  description?: string;
  /** Offers people before anything is typed. */
  isOfferingAtOnce?: boolean;
  hasFocus?: boolean;
  /** Leaves out people without a chat account. */
  needsChatId?: boolean;
}

/** A search field for people, by any part of a name or an id. For forms that need a person's ids. */
export function PersonPicker(props: PersonPickerProps) {
  const { guildId, onPick, isOfferingAtOnce = false, needsChatId = false, hasFocus = false } = props;
  const [text, setText] = useState('');
  const { result } = useGuildSearch(guildId, text, isOfferingAtOnce || text.trim() !== '');
  const choices = choicesOf(result, needsChatId);
  return (
    <Autocomplete
      label={t`Find a person`}
      description={props.description ?? t`Fills name and ids. Anything can be typed below instead.`}
      placeholder={t`Any part of a name or an id`}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={setText}
      data={[...choices.keys()]}
      // The service has already filtered the options.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const person = choices.get(option.value);
        return person ? <Option guildId={guildId} person={person} /> : option.value;
      }}
      comboboxProps={{ shadow: 'md' }}
      {...(hasFocus && { 'data-autofocus': true })}
      onOptionSubmit={(label) => {
        const person = choices.get(label);
        if (person) onPick(person);
      }}
    />
  );
}

function Option({ guildId, person: { name, playerId } }: { guildId: string; person: PickedPerson }) {
  return (
    <PersonOption guildId={guildId} playerId={playerId} name={name}>
      {name === '' ? t`Not verified` : undefined}
    </PersonOption>
  );
}

/** The people by their label in the list, without repeats. */
function choicesOf(result: SearchResult | undefined, needsChatId: boolean): Map<string, PickedPerson> {
  const members = result?.members ?? [];
  const stranger = result?.stranger;
  const people = [
    ...members.map(({ name, playerId, chatId }) => ({ name: name ?? '', playerId, chatId: chatId ?? '' })),
    ...(stranger ? [{ name: stranger.username, playerId: stranger.playerId, chatId: stranger.chatId }] : []),
  ];
  const offered = people.filter(({ chatId }) => !needsChatId || chatId !== '');
  return new Map(offered.map((person) => [`${person.name || t`Not verified`} · ${person.playerId}`, person]));
}
