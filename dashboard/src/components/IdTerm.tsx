import { t } from '@lingui/core/macro';
import { inSentence } from '../texts/in-sentence.ts';
import { CopyAction } from './CopyAction.tsx';

/** An id in a description list, with a copy button. */
export function IdTerm({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{text}</bdi>
        <CopyAction value={text} label={t`Copy the ${inSentence(label)}`} />
      </dd>
    </div>
  );
}
