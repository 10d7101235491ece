import { Balance, MoneyFlow } from '../components/Money.tsx';
import classes from './CorrectionDialog.module.css';
import type { Preview } from './correction-form.ts';

interface CorrectionPreviewProps {
  /** The balance as it is now. */
  before: string;
  preview: Preview | undefined;
}

/** What the correction comes to, before it is posted. It has its height from the beginning. */
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
