import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { language } from '../texts/languages.ts';
import { credentialFieldId, credentialLabel } from './CredentialFields.tsx';
import { useCredentials } from './credentials.tsx';
import classes from './RequestForm.module.css';
import type { Operation, Parameter, Reference, RequestBody } from './reference/model.ts';
import { isJsonType } from './reference/read-operation.ts';
import { chooseSchemes } from './request/build-request.ts';
import { formatJson, parameterKey } from './request/form-values.ts';
import type { Trial } from './use-trial.ts';

interface RequestFormProps {
  operation: Operation;
  reference: Reference;
  trial: Trial;
  onSend: () => void;
}

export function RequestForm({ operation, reference, trial, onSend }: RequestFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label={t`Try “${operation.summary}”`}>
      {operation.parameters.length > 0 && (
        <div className={classes.fields}>
          {operation.parameters.map((parameter) => (
            <ParameterInput key={parameterKey(parameter)} parameter={parameter} trial={trial} />
          ))}
        </div>
      )}
      {operation.body && <BodyInput body={operation.body} trial={trial} />}
      <div className={classes.actions}>
        <Button type="submit" size="sm" loading={trial.isSending} leftSection={<IconSend size={15} />}>
          <Trans>Send</Trans>
        </Button>
        <CredentialNote operation={operation} reference={reference} />
      </div>
    </form>
  );
}

function ParameterInput({ parameter, trial }: { parameter: Parameter; trial: Trial }) {
  const key = parameterKey(parameter);
  const { schema, name, isRequired, example } = parameter;
  const choices = schema.label === 'boolean' ? ['true', 'false'] : schema.allowed;
  const hint = schema.defaultText ?? example;
  const shared = {
    size: 'xs',
    label: name,
    withAsterisk: isRequired,
    value: trial.values.parameters[key] ?? '',
    error: trial.faults[key],
    className: classes.field,
    onChange: (event: { currentTarget: { value: string } }) =>
      trial.setParameter(key, event.currentTarget.value),
  };
  if (choices.length > 0) {
    const none = schema.defaultText === undefined ? t`Not sent` : t`Not sent (${schema.defaultText})`;
    return <NativeSelect {...shared} data={[{ value: '', label: none }, ...choices]} />;
  }
  const isNumber = schema.label === 'integer' || schema.label === 'number';
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      spellCheck={false}
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={hint}
      required={isRequired}
    />
  );
}

function BodyInput({ body, trial }: { body: RequestBody; trial: Trial }) {
  return (
    <div className={classes.body}>
      <div className={classes.bodyTools}>
        {body.examples.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t`Start from an example`}
            data={body.examples.map(({ name, text }) => ({ value: text, label: name }))}
            onChange={(event) => trial.setBody(event.currentTarget.value)}
          />
        )}
        {isJsonType(body.contentType) && (
          <Button
            variant="default"
            size="xs"
            disabled={trial.faults.body !== undefined}
            onClick={() => trial.setBody(formatJson(trial.values.body))}
          >
            <Trans>Format</Trans>
          </Button>
        )}
      </div>
      <Textarea
        size="xs"
        label={t`Body`}
        withAsterisk={body.isRequired}
        autosize
        minRows={4}
        maxRows={18}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.code }}
        value={trial.values.body}
        error={trial.faults.body}
        onChange={(event) => trial.setBody(event.currentTarget.value)}
      />
    </div>
  );
}

/** Shows which credential is sent, and where to enter a missing one. */
function CredentialNote({ operation, reference }: Pick<RequestFormProps, 'operation' | 'reference'>) {
  const { values } = useCredentials();
  const names = chooseSchemes(operation.security, values);
  const schemes = reference.credentials.filter(({ id }) => names.includes(id));
  if (names.length === 0)
    return (
      <p className={classes.note}>
        <Trans>Sent without a credential.</Trans>
      </p>
    );
  if (schemes.length < names.length) {
    return (
      <p className={classes.note}>
        <Trans>This page cannot send the credential that this operation needs.</Trans>
      </p>
    );
  }
  const missing = schemes.find(({ id }) => !values[id]);
  if (!missing)
    return (
      <p className={classes.note}>
        <Trans>Sent with your {listOf(schemes.map(credentialLabel))}.</Trans>
      </p>
    );
  return (
    <p className={classes.note}>
      <Trans>
        No {credentialLabel(missing)} entered.{' '}
        <button
          type="button"
          className={classes.enter}
          onClick={() => document.getElementById(credentialFieldId(missing))?.focus()}
        >
          Enter it
        </button>
      </Trans>
    </p>
  );
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(language).format(names);
}
