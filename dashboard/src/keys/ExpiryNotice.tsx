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
  const what = count === 1 ? 'A key expires' : `${count} keys expire`;
  const when = days === 1 ? 'within a day' : `within ${days} days`;
  return (
    <Box mb="lg">
      <Notice tone={tone} title={`${what} ${when}`}>
        Expiry cannot be moved. Create another key and put it into the program before the old one ends.
      </Notice>
    </Box>
  );
}
