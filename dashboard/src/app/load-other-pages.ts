import { loadOtherChecks } from '../api/replies.ts';
import { guildPages } from './pages.ts';

const nextPages = ['ledger', 'person', 'people', 'discharges', 'audit', 'overview'] as const;

/**
 * Loads the code of the pages that people are likely to open next, one after the other while the browser is idle, so
 * that they open at once. Not for people who save data.
 */
export function loadOtherPages(): void {
  if (!('requestIdleCallback' in window) || savesData()) return;
  const waiting = [...nextPages];
  const loadOne = () => {
    const next = waiting.shift();
    if (next === undefined) return;
    // A page that could not be loaded is loaded again when it is opened, and shows the error then.
    const goOn = () => requestIdleCallback(loadOne);
    guildPages[next].load().then(goOn, goOn);
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
