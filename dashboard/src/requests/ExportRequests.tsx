import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { downloadAddress } from '../api/guild-path.ts';
import type { RequestFilters } from '../api/requests.ts';

/** A link to a file with all requests that match, not only those of the page. */
export function ExportRequests({ guildId, asked }: { guildId: string; asked: RequestFilters }) {
  return (
    <Button
      component="a"
      href={downloadAddress(guildId, ['requests.csv'], { ...asked })}
      download
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} stroke={1.7} />}
    >
      <Trans>Export CSV</Trans>
    </Button>
  );
}
