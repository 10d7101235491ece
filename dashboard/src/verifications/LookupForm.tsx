import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import classes from './LookupForm.module.css';
import {
  type Lookup,
  lookupFault,
  lookupKinds,
  lookupLabels,
  lookupQuery,
  parseLookup,
} from './person-query.ts';

interface LookupFormProps {
  start: Lookup;
  onLookup: (query: string) => void;
}

export function LookupForm({ start, onLookup }: LookupFormProps) {
  const [lookup, setLookup] = useState(start);
  const [fault, setFault] = useState<string | undefined>(lookupFaultOfStart(start));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = lookupFault(lookup);
    setFault(found);
    if (found === undefined) onLookup(lookupQuery(lookup));
  };
  return (
    <search>
      <form className={classes.form} onSubmit={submit} noValidate>
        <NativeSelect
          label="Look for"
          data={lookupKinds.map((kind) => ({ value: kind, label: lookupLabels[kind] }))}
          value={lookup.kind}
          onChange={(event) => {
            const chosen = lookupKinds.find((kind) => kind === event.currentTarget.value);
            if (chosen) setLookup({ ...lookup, kind: chosen });
          }}
        />
        <TextInput
          label="Id or name"
          placeholder={placeholders[lookup.kind]}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={lookup.text}
          error={fault}
          onChange={(event) => {
            setFault(undefined);
            setLookup({ ...lookup, text: event.currentTarget.value });
          }}
          // A typed or pasted prefix selects the kind, so that the form shows what will be looked up.
          onBlur={() => setLookup(lookup.kind === 'any' ? parseLookup(lookup.text) : lookup)}
        />
        <Button
          type="submit"
          className={classes.button ?? ''}
          leftSection={<IconSearch size={17} stroke={1.9} />}
        >
          Look up
        </Button>
      </form>
    </search>
  );
}

const placeholders: Record<Lookup['kind'], string> = {
  any: 'Chat id, player id or user name, present or past',
  chat: 'Id on the chat platform',
  player: 'Id on the game platform, present or past',
  name: 'User name, present or past',
};

/** An address without a query is no error; an invalid query is. */
function lookupFaultOfStart(start: Lookup): string | undefined {
  return start.text === '' ? undefined : lookupFault(start);
}
