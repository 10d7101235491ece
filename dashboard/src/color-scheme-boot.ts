// Runs in the head, before anything is painted (see vite.config.ts). It reads what Mantine's colour
// scheme manager keeps, so that the page never shows the wrong scheme first.
try {
  const stored = window.localStorage.getItem('mantine-color-scheme-value');
  const isDark =
    stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
} catch {
  // Storage is refused in some private modes; Mantine then settles the scheme when it starts.
}
