import { Trans } from '@lingui/react/macro';
import { Balance, MoneyFlow } from '../components/Money.tsx';
import classes from './CorrectionDialog.module.css';
import type { Preview } from './correction-form.ts';

interface CorrectionPreviewProps {
  /** The label of the sum that is posted. */
  label: string;
  /** The present balance; undefined until it is loaded. */
  before: string | undefined;
  preview: Preview | undefined;
}

/** The total and the new balance of a correction before it is posted. Its height is constant. */
export function CorrectionPreview({ label, before, preview }: CorrectionPreviewProps) {
  return (
    <dl className={classes.preview} aria-live="polite">
      <div>
        <dt>{label}</dt>
        <dd>{preview ? <MoneyFlow value={preview.total} /> : '–'}</dd>
      </div>
      <div>
        <dt>
          <Trans>Balance now</Trans>
        </dt>
        <dd>{before === undefined ? '–' : <Balance value={before} />}</dd>
      </div>
      <div data-result>
        <dt>
          <Trans>Balance after</Trans>
        </dt>
        <dd>{preview ? <Balance value={preview.balance} /> : '–'}</dd>
      </div>
    </dl>
  );
}
