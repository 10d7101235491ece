import { Notice } from '../components/Notice.tsx';

/** Shown above a form whose draft was restored. */
export function RestoredNotice() {
  return (
    <Notice tone="info" title="What you had entered is back" isAnnounced>
      It was not sent before. Check it and go on.
    </Notice>
  );
}
