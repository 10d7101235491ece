import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { ShownOnce } from '../components/ShownOnce.tsx';
import classes from './Dialogs.module.css';
import { exampleRequest } from './example-request.ts';
import type { IssuedKey } from './issued-key-context.ts';

interface IssuedKeyDialogProps {
  issued: IssuedKey;
  onStored: () => void;
}

/** Shows a new key's value once. */
export function IssuedKeyDialog({ issued, onStored }: IssuedKeyDialogProps) {
  return (
    <ShownOnce
      kind="key"
      title={t`Your new key`}
      name={issued.name}
      value={issued.value}
      copyLabel={t`Copy key`}
      explanation={t`Guildbook keeps only a fingerprint of the key. If the value is lost, rotate the key: it gets a new value and keeps its name, scopes and limits.`}
      onStored={onStored}
    >
      <div>
        <p className={classes.label}>
          <Trans>Try it</Trans>
        </p>
        <CodeBlock
          code={exampleRequest(window.location.origin, issued)}
          language="shell"
          copyLabel={t`Copy the request`}
        />
      </div>
    </ShownOnce>
  );
}
