import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import classes from './ExportLink.module.css';

interface ExportLinkProps {
  /** The address of a file with everything that matches, not only what the page shows. */
  href: string;
  /** The name of the saved file. By default the service names it. */
  fileName?: string;
  /** As high as the buttons of a heading, not those above a list. */
  isInHeading?: boolean;
}

export function ExportLink({ href, fileName, isInHeading = false }: ExportLinkProps) {
  return (
    <Button
      component="a"
      href={href}
      download={fileName ?? true}
      variant="default"
      size={isInHeading ? 'sm' : 'compact-sm'}
      className={isInHeading ? '' : (classes.link ?? '')}
      leftSection={<IconDownload size={16} stroke={1.7} />}
    >
      <Trans>Export CSV</Trans>
    </Button>
  );
}
