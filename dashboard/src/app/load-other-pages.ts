import { loadOtherChecks } from '../api/replies.ts';
import { hintBubble } from '../components/Hint.tsx';
import { guildSwitcherItems } from './GuildSwitcher.tsx';
import { guildPages } from './pages.ts';
import { userMenuItems } from './UserMenu.tsx';

const { ledger, person, people, discharges, audit, overview } = guildPages;
const nextParts = [
  ...[hintBubble, userMenuItems, guildSwitcherItems],
  ...[ledger, person, people, discharges, audit, overview],
];

/**
 * Loads the code of menus and hints, and of the pages that people are likely to open next, one after the other while the browser is
 * idle, so that they open at once. Not for people who save data.
 */
export function loadOtherPages(): void {
  if (!('requestIdleCallback' in window) || savesData()) return;
  const waiting = [...nextParts];
  const loadOne = () => {
    const next = waiting.shift();
    if (next === undefined) return;
    // A part that could not be loaded is loaded again when it is opened, and shows the error then.
    const goOn = () => requestIdleCallback(loadOne);
    next.load().then(goOn, goOn);
  };
  requestIdleCallback(() => loadOtherChecks().then(loadOne, loadOne));
}

function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}
