import { Button, Group, Modal } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import {
  changeRecord,
  createRecord,
  type GuildRecord,
  type RecordBody,
  recordQuery,
} from '../api/records.ts';
import { isUndecided } from '../api/request.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { DateField } from './DateField.tsx';
import classes from './RecordDialog.module.css';
import type { DateInput } from './record-date.ts';
import { findRecordFaults, formOrder, type RecordValues, recordBody, startValues } from './record-form.ts';
import { capitalized, idField, type RecordKind } from './record-kinds.ts';
import { TextFieldInput } from './TextFieldInput.tsx';

interface RecordDialogProps {
  kind: RecordKind;
  guildId: string;
  /** The record to change; without one, a new one is made. */
  record: GuildRecord | undefined;
  onClose: () => void;
}

export function RecordDialog({ kind, guildId, record, onClose }: RecordDialogProps) {
  const isPhone = useIsPhone();
  const saving = useSaving({ kind, guildId, record, onClose });
  const [nowMs] = useState(Date.now);
  const form = useForm<RecordValues>({
    initialValues: startValues(kind, record, nowMs),
    validate: (values) => findRecordFaults(kind, values),
  });
  const submit = form.onSubmit(
    (values) => saving.mutate(recordBody(kind, values, record)),
    // The first field at fault, in the order of the form, gets the focus.
    (faults) => document.querySelector<HTMLElement>(selectorOf(kind, Object.keys(faults)))?.focus(),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={record ? `Edit this ${kind.noun}` : `Add a ${kind.noun}`}
      closeOnClickOutside={!form.isDirty()}
      size="xl"
      fullScreen={isPhone}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {saving.isError && <SavingFault kind={kind} error={saving.error} isNew={record === undefined} />}
        <div className={classes.fields}>
          {formOrder(kind, record === undefined).map((name) => (
            <FieldOf key={name} name={name} kind={kind} guildId={guildId} form={form} />
          ))}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {record ? 'Save changes' : `Add ${kind.noun}`}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function fieldId(name: string): string {
  return `record-${name}`;
}

function selectorOf(kind: RecordKind, atFault: string[]): string {
  const first = formOrder(kind, true).find((name) => atFault.includes(name));
  return `#${fieldId(first ?? '')}`;
}

interface FieldOfProps {
  name: keyof RecordValues;
  kind: RecordKind;
  guildId: string;
  form: UseFormReturnType<RecordValues>;
}

function FieldOf({ name, kind, guildId, form }: FieldOfProps) {
  const id = fieldId(name);
  if (name === 'date') {
    const change = (date: DateInput) => {
      form.clearFieldError('date');
      form.setFieldValue('date', date);
    };
    return (
      <DateField id={id} kind={kind} value={form.values.date} onChange={change} error={form.errors.date} />
    );
  }
  const input = form.getInputProps(name);
  const field = kind.fields.find((candidate) => candidate.name === name) ?? idField;
  return <TextFieldInput id={id} field={field} kind={kind} guildId={guildId} input={input} />;
}

function useSaving({ kind, guildId, record, onClose }: RecordDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const target = { session, guildId, path: kind.path };
  return useMutation({
    mutationFn: (body: RecordBody) =>
      record ? changeRecord(target, record.id, body) : createRecord(target, body),
    onSuccess: (saved) => {
      queryClient.setQueryData(recordQuery(guildId, kind.path, saved.id).queryKey, saved);
      notifications.show({
        title: `${capitalized(kind.noun)} ${record ? 'changed' : 'added'}`,
        message: saved.name,
      });
      onClose();
    },
    // Either way something may have changed: the list, the overview's figures, the audit log.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
  });
}

interface SavingFaultProps {
  kind: RecordKind;
  error: Error;
  isNew: boolean;
}

function SavingFault({ kind, error, isNew }: SavingFaultProps) {
  if (isUndecided(error)) {
    return (
      <Notice tone="danger" title="No clear answer" isAnnounced>
        {error.message}{' '}
        {isNew
          ? `The ${kind.noun} may or may not have been added. Look for it in the list before you try again.`
          : 'The change may or may not have been made. It is safe to try again.'}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title={isNew ? `No ${kind.noun} was added` : 'Nothing was changed'} isAnnounced>
      {error.message}
    </Notice>
  );
}
