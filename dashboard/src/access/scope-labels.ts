import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

/** Every scope of a key in words. */
export const scopeLabels = lazily(
  (): Readonly<Record<string, string>> => ({
    'guild:read': t`Read the guild`,
    'guild:write': t`Post to the ledger`,
    'users:read': t`Look up users`,
    'records:write': t`Write records`,
    'webhooks:manage': t`Manage webhooks`,
  }),
);
