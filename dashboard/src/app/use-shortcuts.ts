import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import { guildPageAddress, openPages } from './guild-pages.ts';

/** The page that each letter after `g` opens. */
const letters: Readonly<Record<string, string>> = {
  o: '',
  l: 'ledger',
  p: 'people',
  d: 'discharges',
  t: 'transfers',
  a: 'audit',
  k: 'keys',
};
const sequenceMs = 1_500;

export interface Shortcut {
  keys: readonly string[];
  label: string;
}

/** The shortcuts that work on every page, for the list of shortcuts. */
export function shortcutsOf(guild: Guild | undefined): Shortcut[] {
  const pages = guild ? openPages(guild) : [];
  const leading = Object.entries(letters).flatMap(([letter, path]) => {
    const page = pages.find((candidate) => candidate.path === path);
    return page ? [{ keys: ['g', letter], label: page.label }] : [];
  });
  return [
    { keys: ['/'], label: t`Search` },
    { keys: ['?'], label: t`Keyboard shortcuts` },
    { keys: ['j', 'k'], label: t`Next and previous record in the details` },
    ...leading,
  ];
}

interface ShortcutActions {
  guild: Guild | undefined;
  onSearch: () => void;
  onHelp: () => void;
}

/** Listens for the shortcuts. They are ignored in fields, in dialogs and together with Ctrl, Alt or Command. */
export function useShortcuts(actions: ShortcutActions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  const startedAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const { guild, onSearch, onHelp } = latest.current;
      const isSecond = event.timeStamp - startedAtMs.current < sequenceMs;
      startedAtMs.current = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const path = letters[event.key];
      const isOpen = guild !== undefined && openPages(guild).some((page) => page.path === path);
      if (isSecond && isOpen && path !== undefined) {
        event.preventDefault();
        navigate(guildPageAddress(guild.guildId, path));
      } else if (event.key === '/' || event.key === '?') {
        event.preventDefault();
        if (event.key === '/') onSearch();
        else onHelp();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}

function isBusy(target: EventTarget | null): boolean {
  const isField =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
