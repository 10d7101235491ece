import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Burger, Button, Drawer } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useIsPainted } from '../components/AfterPaint.tsx';
import { Markdown } from '../components/Markdown.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { CredentialFields, credentialFieldId } from './CredentialFields.tsx';
import { useCredentials } from './credentials.tsx';
import { GroupSection } from './GroupSection.tsx';
import { Navigation } from './Navigation.tsx';
import { introductionId, sectionIds } from './navigation.ts';
import classes from './ReferenceView.module.css';
import type { Reference } from './reference/model.ts';
import { scrollToAddress } from './scroll-to-address.ts';
import { useActiveSection } from './use-active-section.ts';

/** Groups of operations that are rendered at once. */
const firstGroups = 1;

interface ReferenceViewProps {
  reference: Reference;
  title: string;
  /** Says whose ids the examples have. */
  note?: ReactNode;
}

export function ReferenceView({ reference, title, note }: ReferenceViewProps) {
  const ids = useMemo(() => sectionIds(reference), [reference]);
  const activeId = useActiveSection(ids);
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([
    ['/', () => search.current?.focus()],
    ['mod+K', () => search.current?.focus()],
  ]);
  const isPainted = useIsPainted();
  // The target of the address may be anywhere.
  const isWhole = isPainted || window.location.hash !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the target may be among the sections that are rendered later
  useEffect(scrollToAddress, [isWhole]);
  return (
    <>
      <PageHeader
        title={title}
        lead={
          <Burger
            className={classes.burger}
            size="sm"
            opened={isDrawerOpen}
            onClick={drawer.toggle}
            aria-label={t`Open the navigation`}
          />
        }
      >
        <CredentialButton reference={reference} />
      </PageHeader>
      <div className={classes.frame}>
        <aside className={classes.side}>
          <Navigation reference={reference} activeId={activeId} searchRef={search} />
        </aside>
        <main id="content" className={classes.main}>
          <Introduction reference={reference} note={note} />
          {reference.groups.slice(0, isWhole ? undefined : firstGroups).map((group) => (
            <GroupSection key={group.name} group={group} reference={reference} />
          ))}
        </main>
      </div>
      <NavigationDrawer
        reference={reference}
        activeId={activeId}
        isOpen={isDrawerOpen}
        onClose={drawer.close}
      />
    </>
  );
}

interface NavigationDrawerProps {
  reference: Reference;
  activeId: string | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** The navigation on small screens. */
function NavigationDrawer({ reference, activeId, isOpen, onClose }: NavigationDrawerProps) {
  // After following a link the focus stays at its target; after closing the drawer it returns to the button.
  const [wasFollowed, setFollowed] = useState(false);
  const follow = () => {
    setFollowed(true);
    onClose();
  };
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      onEnterTransitionEnd={() => setFollowed(false)}
      size="20rem"
      returnFocus={!wasFollowed}
    >
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: classes.drawer }}>
        <div className={classes.drawerHead}>
          <Drawer.Title>
            <Trans context="of the interface">Reference</Trans>
          </Drawer.Title>
          <Drawer.CloseButton aria-label={t`Close the navigation`} />
        </div>
        <Drawer.Body className={classes.drawerBody}>
          <Navigation reference={reference} activeId={activeId} onNavigate={follow} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function CredentialButton({ reference }: { reference: Reference }) {
  const { values } = useCredentials();
  const [first] = reference.credentials;
  if (!first) return null;
  const isSet = reference.credentials.some((scheme) => Boolean(values[scheme.id]));
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.credentialButton}
      data-set={isSet || undefined}
      onClick={() => document.getElementById(credentialFieldId(first))?.focus()}
    >
      <IconKey size={15} stroke={1.7} aria-hidden="true" />
      <span className={classes.credentialText}>{isSet ? t`Key set` : t`Enter a key`}</span>
    </Button>
  );
}

function Introduction({ reference, note }: { reference: Reference; note: ReactNode }) {
  return (
    <section id={introductionId} className={classes.introduction} aria-label={t`Introduction`}>
      <div className={classes.heading}>
        <h1 className={classes.title}>{reference.title}</h1>
        {reference.summary !== '' && <p className={classes.lead}>{reference.summary}</p>}
        <p className={classes.facts}>
          {reference.version !== '' && (
            <span>
              <Trans>Version {reference.version}</Trans>
            </span>
          )}
          <a href="/openapi.json" className={classes.document}>
            <Trans>OpenAPI document</Trans>
          </a>
        </p>
        {note && <div className={classes.note}>{note}</div>}
      </div>
      {reference.credentials.length > 0 && (
        <div className={classes.credentials}>
          <CredentialFields schemes={reference.credentials} />
        </div>
      )}
      <div className={classes.description}>
        <Markdown text={reference.description} />
      </div>
    </section>
  );
}
