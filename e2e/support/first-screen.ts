/**
 * The content that makes a page usable, and the content that makes it complete. Usable: everything that the page is opened
 * for is drawn with real data, and the first screen has no placeholder. Complete: no placeholder is left on the whole page.
 */
export const pageContents = {
  overview: {
    // The headline figures, the chart, and the first player beside it.
    usable: ['main dl dd', 'main figure svg path, main figure svg rect', 'main ol li'],
    complete: ['#changes-title'],
  },
  person: {
    // The name, the balance with the other figures, and the chart. The transactions are below it.
    usable: ['main h1', 'main [role="tabpanel"] dl dd', 'main figure svg path'],
    // Not the table of the chart's figures.
    complete: ['main table:not(figure table) tbody tr'],
  },
  docs: {
    // The introduction, the field for a key, the navigation, and the first operation.
    usable: ['main h1', 'main input', 'aside nav a[href^="#"]', 'main section section h3', 'main pre code'],
    complete: ['main > section:nth-of-type(4) section h3'],
  },
} as const;

interface PageContent {
  usable: readonly string[];
  complete: readonly string[];
}

/**
 * A script that sets `usableMs` and `completeMs` in the page. The time of the paint counts, because before it nobody sees anything.
 */
export const watchFirstScreen = ({ usable, complete }: PageContent) => `{
  const isFilled = (selector) => {
    const found = document.querySelector(selector);
    return found && (found instanceof SVGElement || found.matches('input') || found.textContent !== '');
  };
  const placeholders = () => [...document.querySelectorAll('main .mantine-Skeleton-root')];
  const isOnFirstScreen = (element) => element.getBoundingClientRect().top < innerHeight;
  const notePaint = (name) => requestAnimationFrame(() => {
    // A message is delivered after the frame has been painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      globalThis[name] = performance.now();
    };
    port2.postMessage(undefined);
  });
  let isUsable = false;
  const observer = new MutationObserver(() => {
    if (!isUsable && ${JSON.stringify(usable)}.every(isFilled) && !placeholders().some(isOnFirstScreen)) {
      isUsable = true;
      notePaint('usableMs');
    }
    if (!isUsable || !${JSON.stringify(complete)}.every(isFilled) || placeholders().length > 0) return;
    observer.disconnect();
    notePaint('completeMs');
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}`;
