import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput } from '@mantine/core';
import { InlineMarkdown } from '../components/Markdown.tsx';
import classes from './CredentialFields.module.css';
import { useCredentials } from './credentials.tsx';
import type { CredentialScheme } from './reference/model.ts';

export function credentialLabel(scheme: CredentialScheme): string {
  return scheme.kind === 'api-key' ? t`API key` : t`Bearer token`;
}

export function credentialFieldId(scheme: CredentialScheme): string {
  return `credential-${scheme.id}`;
}

/** One field for every credential of the document that this page can send. */
export function CredentialFields({ schemes }: { schemes: CredentialScheme[] }) {
  const { isKept } = useCredentials();
  return (
    <section className={classes.card} aria-labelledby="credentials">
      <h2 id="credentials" className={classes.title}>
        <Trans>Credentials</Trans>
      </h2>
      {schemes.map((scheme) => (
        <CredentialField key={scheme.id} scheme={scheme} />
      ))}
      <p className={classes.note}>
        {isKept
          ? t`Kept in this tab only, and sent to this service only. Closing the tab forgets them.`
          : t`Kept on this page only, and sent to this service only. Leaving the page forgets it.`}
      </p>
    </section>
  );
}

function CredentialField({ scheme }: { scheme: CredentialScheme }) {
  const { values, setValue, isRevealed, setRevealed } = useCredentials();
  const value = values[scheme.id] ?? '';
  const label = credentialLabel(scheme);
  return (
    <div className={classes.field}>
      <PasswordInput
        id={credentialFieldId(scheme)}
        label={label}
        description={<CredentialHelp scheme={scheme} />}
        placeholder={scheme.kind === 'api-key' ? 'gbk_…' : undefined}
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        inputWrapperOrder={['label', 'input', 'description']}
        value={value}
        visible={isRevealed}
        onVisibilityChange={setRevealed}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{
          'aria-label': isRevealed ? t`Hide the ${label}` : t`Show the ${label}`,
        }}
        onChange={(event) => setValue(scheme.id, event.currentTarget.value.trim())}
      />
      {value !== '' && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.clear}
          onClick={() => setValue(scheme.id, '')}
        >
          <Trans>Clear</Trans>
        </Button>
      )}
    </div>
  );
}

function CredentialHelp({ scheme }: { scheme: CredentialScheme }) {
  const { keyHelp } = useCredentials();
  const header = <code>{scheme.kind === 'bearer' ? 'Authorization: Bearer' : scheme.header}</code>;
  if (scheme.kind === 'bearer') {
    return (
      <>
        {scheme.description !== '' && <InlineMarkdown text={scheme.description} />}{' '}
        <Trans>Sent as {header}.</Trans>
      </>
    );
  }
  return (
    <>
      {keyHelp} <Trans>Sent as {header}.</Trans>
    </>
  );
}
