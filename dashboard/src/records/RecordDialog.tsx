import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { PersonPicker, type PickedPerson } from '../access/PersonPicker.tsx';
import { useSession } from '../access/session-context.ts';
import {
  changeRecord,
  createRecord,
  findRecord,
  isChangedMeanwhile,
  isGone,
  type RecordBody,
  recordQuery,
  type TaggedRecord,
} from '../api/records.ts';
import { ApiError, isUndecided } from '../api/request.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { ConflictChoice } from './ConflictChoice.tsx';
import { DateField } from './DateField.tsx';
import classes from './RecordDialog.module.css';
import type { DateInput } from './record-date.ts';
import { findRecordFaults, formOrder, type RecordValues, recordBody, startValues } from './record-form.ts';
import { idField, type RecordKind, recordFormId } from './record-kinds.ts';
import { findDifferences } from './record-merge.ts';
import { TextFieldInput } from './TextFieldInput.tsx';

interface RecordDialogProps {
  kind: RecordKind;
  guildId: string;
  /** The record to change; undefined for a new one. */
  record: TaggedRecord | undefined;
  onClose: () => void;
}

/** The form's values with the version they started from, so that a draft does not overwrite a newer version. */
interface FormValues extends RecordValues {
  base: TaggedRecord | null;
}

export function RecordDialog({ kind, guildId, record, onClose }: RecordDialogProps) {
  const isPhone = useIsPhone();
  const [nowMs] = useState(Date.now);
  const form = useForm<FormValues>({
    initialValues: { ...startValues(kind, record, nowMs), base: record ?? null },
    validate: (values) => findRecordFaults(kind, values),
  });
  const { base } = form.values;
  const { saving, theirs } = useSaving({ kind, guildId, onClose });
  const save = (body: RecordBody, version = base) =>
    saving.mutate({ body, version, isGone: isGone(saving.error) });
  const submit = form.onSubmit(
    (values) => save(recordBody(kind, values, base ?? undefined)),
    // The first field with an error, in the order of the form, gets the focus.
    (faults) => document.querySelector<HTMLElement>(selectorOf(kind, Object.keys(faults)))?.focus(),
  );
  const fill = ({ name, playerId, chatId }: PickedPerson) => {
    form.clearErrors();
    form.setValues({ name, playerId, chatId });
  };
  const mine = recordBody(kind, form.values, base ?? undefined);
  return (
    <FormModal
      form={form}
      formId={recordFormId(kind, record?.id)}
      onClose={onClose}
      title={record ? kind.texts.edit : kind.texts.addOne}
      size="xl"
      fullScreen={isPhone}
    >
      {(cancel) =>
        theirs && base ? (
          <ConflictChoice
            key={theirs.tag}
            kind={kind}
            mine={mine}
            differences={findDifferences(kind, { base, theirs, mine })}
            isSaving={saving.isPending}
            onSave={(merged) => save(merged, theirs)}
            onCancel={onClose}
          />
        ) : (
          <form className={classes.form} onSubmit={submit} noValidate>
            {saving.isError && <SavingFault kind={kind} error={saving.error} isNew={base === null} />}
            {base === null && <PersonPicker guildId={guildId} onPick={fill} />}
            <div className={classes.fields}>
              {formOrder(kind, base === null).map((name) => (
                <FieldOf key={name} name={name} kind={kind} guildId={guildId} form={form} />
              ))}
            </div>
            <DialogButtons>
              <Button variant="default" onClick={cancel}>
                <Trans>Cancel</Trans>
              </Button>
              <Button type="submit" loading={saving.isPending}>
                {submitLabel(kind, base !== null, saving.error)}
              </Button>
            </DialogButtons>
          </form>
        )
      }
    </FormModal>
  );
}

function submitLabel(kind: RecordKind, isChange: boolean, error: Error | null): string {
  if (!isChange) return kind.texts.add;
  return isGone(error) ? t`Add it again` : t`Save changes`;
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
  form: UseFormReturnType<FormValues>;
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
  const field = kind.fields.find((candidate) => candidate.name === name) ?? idField();
  return <TextFieldInput id={id} field={field} kind={kind} guildId={guildId} input={input} />;
}

interface Save {
  body: RecordBody;
  /** The version to be changed; null for a new record. */
  version: TaggedRecord | null;
  /** The record was deleted, which the form has shown: it is added again. */
  isGone: boolean;
}

/** Saves a record. When somebody else has changed it, fetches their version. */
function useSaving({ kind, guildId, onClose }: Omit<RecordDialogProps, 'record'>) {
  const session = useSession();
  const queryClient = useQueryClient();
  const target = { session, guildId, path: kind.path };
  const [theirs, setTheirs] = useState<TaggedRecord | undefined>(undefined);
  const saving = useMutation<TaggedRecord, Error, Save>({
    mutationFn: async ({ body, version, isGone }) => {
      if (version === null) return createRecord(target, body);
      if (isGone) return createRecord(target, { ...body, id: version.id });
      return changeRecord(target, version, body).catch(async (error) => {
        if (isChangedMeanwhile(error)) {
          const found = await findRecord(guildId, kind.path, version.id);
          setTheirs(found ?? undefined);
          // It was changed and then deleted.
          if (found === null) throw new ApiError(404, kind.texts.deletedMeanwhile);
        }
        throw error;
      });
    },
    onSuccess: (saved, { version }) => {
      queryClient.setQueryData(recordQuery(guildId, kind.path, saved.id).queryKey, saved);
      notifications.show({
        title: version ? kind.texts.changed : kind.texts.added,
        message: saved.name,
      });
      onClose();
    },
    // Anything of the guild may have changed: the list, the overview's figures, the audit log.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] }),
  });
  return { saving, theirs };
}

interface SavingFaultProps {
  kind: RecordKind;
  error: Error;
  isNew: boolean;
}

function SavingFault({ kind, error, isNew }: SavingFaultProps) {
  if (!isNew && isGone(error)) {
    return (
      <Notice tone="warning" title={kind.texts.deletedMeanwhile} isAnnounced>
        <Trans>What you entered is not lost: it can be added again, under the same id.</Trans>
      </Notice>
    );
  }
  if (isUndecided(error)) {
    return (
      <Notice tone="danger" title={t`No clear answer`} isAnnounced>
        {error.message}{' '}
        {isNew
          ? kind.texts.perhapsAdded
          : t`The change may or may not have been made. It is safe to try again.`}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title={isNew ? kind.texts.notAdded : t`Nothing was changed`} isAnnounced>
      {error.message}
    </Notice>
  );
}
