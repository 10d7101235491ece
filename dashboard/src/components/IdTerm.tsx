import { CopyAction } from './CopyAction.tsx';

/** An id in a description list, with a copy button. */
export function IdTerm({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{text}</bdi>
        <CopyAction value={text} label={`Copy the ${label.toLowerCase()}`} />
      </dd>
    </div>
  );
}
