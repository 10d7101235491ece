import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconWifiOff } from '@tabler/icons-react';
import { EmptyState } from './EmptyState.tsx';

/** Shown in place of data that cannot be loaded while the browser is offline. */
export function OfflineState() {
  return (
    <div role="status">
      <EmptyState icon={<IconWifiOff size={28} stroke={1.6} />} title={t`No connection`}>
        <p>
          <Trans>This part appears by itself when the connection is back.</Trans>
        </p>
      </EmptyState>
    </div>
  );
}
