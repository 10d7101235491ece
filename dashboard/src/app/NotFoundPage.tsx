import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { usePageTitle } from '../components/use-page-title.ts';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <EmptyState icon={<IconCompass size={28} stroke={1.6} />} title="There is no page at this address" isPage>
      <p>It may have been moved, or the link was cut short.</p>
      <Button component={Link} to="/" variant="default" mt="md">
        Go to the start page
      </Button>
    </EmptyState>
  );
}
