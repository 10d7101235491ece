import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { recordListQuery } from '../api/records.ts';
import { readFilters } from '../components/search-filters.ts';
import classes from './RecordDialog.module.css';
import { recordFilters } from './record-filters.ts';
import type { RecordKind, TextField } from './record-kinds.ts';

interface TextFieldInputProps {
  id: string;
  field: TextField;
  kind: RecordKind;
  guildId: string;
  input: GetInputPropsReturnType;
}

/** One text of a record's form: a line, several lines, or a line with suggestions. */
export function TextFieldInput({ id, field, kind, guildId, input }: TextFieldInputProps) {
  const shared = {
    id,
    label: field.label,
    description: field.explanation,
    required: field.kind === 'id' || field.kind === 'line',
    autoComplete: 'off',
    dir: 'auto',
    'data-autofocus': field.name === 'name' || undefined,
    ...input,
  };
  if (field.name === 'type') return <TypeInput {...shared} kind={kind} guildId={guildId} />;
  if (field.kind === 'block') {
    return <Textarea {...shared} className={classes.wide ?? ''} autosize minRows={3} maxRows={10} />;
  }
  return <TextInput {...shared} spellCheck={field.kind !== 'id' && field.name !== 'id'} />;
}

interface TypeInputProps extends GetInputPropsReturnType {
  id: string;
  kind: RecordKind;
  guildId: string;
}

/** Suggests the types that the guild has used before, so that one type does not get two spellings. */
function TypeInput({ kind, guildId, ...input }: TypeInputProps) {
  const anyQuery = { ...readFilters(recordFilters, new URLSearchParams()), limit: 1 };
  const { data } = useQuery(recordListQuery(guildId, kind.path, anyQuery));
  return <Autocomplete {...input} data={data?.types ?? []} comboboxProps={{ shadow: 'md' }} />;
}
