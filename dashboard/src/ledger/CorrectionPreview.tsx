import { Balance, MoneyFlow } from '../components/Money.tsx';
import classes from './CorrectionDialog.module.css';
import type { Preview } from './correction-form.ts';

interface CorrectionPreviewProps {
  /** The present balance. */
  before: string;
  preview: Preview | undefined;
}

/** The total and the new balance of a correction before it is posted. Its height is constant. */
export function CorrectionPreview({ before, preview }: CorrectionPreviewProps) {
  return (
    <dl className={classes.preview} aria-live="polite">
      <div>
        <dt>Total</dt>
        <dd>{preview ? <MoneyFlow value={preview.total} /> : '–'}</dd>
      </div>
      <div>
        <dt>Balance now</dt>
        <dd>
          <Balance value={before} />
        </dd>
      </div>
      <div data-result>
        <dt>Balance after</dt>
        <dd>{preview ? <Balance value={preview.balance} /> : '–'}</dd>
      </div>
    </dl>
  );
}
