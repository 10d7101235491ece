import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Notice } from '../components/Notice.tsx';

/** Shown above a form whose draft was restored. */
export function RestoredNotice() {
  return (
    <Notice tone="info" title={t`What you had entered is back`} isAnnounced>
      <Trans>It was not sent before. Check it and go on.</Trans>
    </Notice>
  );
}
