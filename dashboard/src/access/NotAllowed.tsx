import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconLock } from '@tabler/icons-react';
import { EmptyState } from '../components/EmptyState.tsx';
import { type Role, roleTexts } from './guild-texts.ts';

/** Shown for a page that needs a role the person does not have. */
export function NotAllowed({ needed }: { needed: Role }) {
  return (
    <EmptyState
      icon={<IconLock size={28} stroke={1.6} />}
      title={t`Your role does not open this page`}
      isPage
    >
      <p>
        <Trans>
          It needs the role {roleTexts()[needed].label}. Somebody who manages this guild can give it to you.
        </Trans>
      </p>
    </EmptyState>
  );
}
