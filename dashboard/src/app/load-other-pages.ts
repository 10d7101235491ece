import { guildRooms } from './pages.ts';

const nextPages = ['ledger', 'player', 'people', 'discharges', 'audit', 'overview'] as const;

/**
 * Loads the pages where most go next, one after the other and only while the browser has nothing to do, so that they open at
 * once. Not for those who save data.
 */
export function loadOtherPages(): void {
  if (!('requestIdleCallback' in window) || savesData()) return;
  const waiting = [...nextPages];
  const loadOne = () => {
    const next = waiting.shift();
    if (next === undefined) return;
    // One that does not arrive is loaded by its page, which tells of it.
    const goOn = () => requestIdleCallback(loadOne);
    guildRooms[next].load().then(goOn, goOn);
  };
  requestIdleCallback(loadOne);
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
