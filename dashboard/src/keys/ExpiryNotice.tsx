import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box } from '@mantine/core';
import type { ApiKey } from '../api/keys.ts';
import { Notice } from '../components/Notice.tsx';
import { useNow } from '../components/use-now.ts';
import { expiryWarning } from './expiry.ts';

/** Warns about keys that expire within 14, 3 or 1 days, with increasing urgency. */
export function ExpiryNotice({ keys }: { keys: ApiKey[] }) {
  const nowMs = useNow();
  const warning = expiryWarning(keys.map(({ expiresAt }) => Date.parse(expiresAt) - nowMs));
  if (warning === undefined) return null;
  const { days, count } = warning;
  const tone = days === 1 ? 'danger' : days === 3 ? 'warning' : 'info';
  const title =
    days === 1
      ? plural(count, { one: 'A key expires within a day', other: '# keys expire within a day' })
      : plural(count, {
          one: `A key expires within ${days} days`,
          other: `# keys expire within ${days} days`,
        });
  return (
    <Box mb="lg">
      <Notice tone={tone} title={title}>
        <Trans>
          Expiry cannot be moved. Create another key and put it into the program before the old one ends.
        </Trans>
      </Notice>
    </Box>
  );
}
