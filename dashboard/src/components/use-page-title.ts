import { useEffect } from 'react';

/** Sets the title of the page in the tab and in the history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Guildbook`;
  }, [title]);
}
