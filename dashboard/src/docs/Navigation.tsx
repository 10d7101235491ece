import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Kbd } from '@mantine/core';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import { SearchInput } from '../components/SearchInput.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import classes from './Navigation.module.css';
import { groupId, introductionSections, searchGroups } from './navigation.ts';
import type { OperationGroup, Reference } from './reference/model.ts';

interface NavigationProps {
  reference: Reference;
  activeId: string | undefined;
  /** Called when a link was followed, so that a drawer can close. */
  onNavigate?: () => void;
  searchRef?: Ref<HTMLInputElement>;
}

export function Navigation({ reference, activeId, onNavigate, searchRef }: NavigationProps) {
  const [search, setSearch] = useState('');
  const groups = useMemo(() => searchGroups(reference.groups, search), [reference, search]);
  const isSearching = search.trim() !== '';
  const goToFirst = () => {
    const first = groups[0]?.operations[0];
    if (!isSearching || !first) return;
    window.location.hash = first.id;
    onNavigate?.();
  };
  return (
    <nav className={classes.navigation} aria-label={t({ message: 'Reference', context: 'of the interface' })}>
      <div className={classes.search}>
        <SearchInput
          {...(searchRef ? { ref: searchRef, hint: <Kbd size="xs">/</Kbd> } : {})}
          label={t`Search operations`}
          value={search}
          onChange={setSearch}
          onSubmit={goToFirst}
        />
      </div>
      <div className={classes.links}>
        {!isSearching && (
          <IntroductionLinks reference={reference} activeId={activeId} onNavigate={onNavigate} />
        )}
        {groups.map((group) => (
          <GroupLinks key={group.name} group={group} activeId={activeId} onNavigate={onNavigate} />
        ))}
        {groups.length === 0 && (
          <div className={classes.empty} role="status">
            <p>
              <Trans>No operation matches “{search.trim()}”.</Trans>
            </p>
            <Button variant="default" size="xs" onClick={() => setSearch('')}>
              <Trans>Clear the search</Trans>
            </Button>
          </div>
        )}
      </div>
    </nav>
  );
}

interface LinksProps {
  activeId: string | undefined;
  onNavigate: (() => void) | undefined;
}

function IntroductionLinks({ reference, activeId, onNavigate }: LinksProps & { reference: Reference }) {
  const sections = useMemo(() => introductionSections(reference), [reference]);
  return (
    <ul className={classes.list}>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <NavigationLink id={id} isActive={id === activeId} onNavigate={onNavigate}>
            {title}
          </NavigationLink>
        </li>
      ))}
    </ul>
  );
}

function GroupLinks({ group, activeId, onNavigate }: LinksProps & { group: OperationGroup }) {
  return (
    <div className={classes.group}>
      <a href={`#${encodeURI(groupId(group))}`} className={classes.groupName} onClick={onNavigate}>
        {group.name}
      </a>
      <ul className={classes.list}>
        {group.operations.map(({ id, method, summary }) => (
          <li key={id}>
            <NavigationLink id={id} isActive={id === activeId} onNavigate={onNavigate}>
              <span className={classes.summary}>{summary}</span>
              <MethodBadge method={method} isSmall />
            </NavigationLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface NavigationLinkProps {
  id: string;
  isActive: boolean;
  onNavigate: (() => void) | undefined;
  children: React.ReactNode;
}

function NavigationLink({ id, isActive, onNavigate, children }: NavigationLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const isMounted = useRef(false);
  useEffect(() => {
    // A page that opens at its beginning has nothing to scroll, and measuring it takes longer than drawing it.
    const isOpening = !isMounted.current && window.location.hash === '';
    isMounted.current = true;
    if (isActive && !isOpening && link.current) keepVisible(link.current);
  }, [isActive]);
  return (
    <a
      ref={link}
      href={`#${encodeURI(id)}`}
      className={classes.link}
      aria-current={isActive ? 'location' : undefined}
      onClick={onNavigate}
    >
      {children}
    </a>
  );
}

// scrollIntoView would also stop a smooth scroll of the page.
function keepVisible(link: HTMLElement): void {
  const list = link.closest(`.${classes.links}`);
  if (!list) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top) list.scrollTop -= frame.top - top + 16;
  if (bottom > frame.bottom) list.scrollTop += bottom - frame.bottom + 16;
}
