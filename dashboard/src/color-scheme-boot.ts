// Runs in the head, before the first paint (see vite.config.ts). It reads the setting stored by Mantine's colour
// scheme manager, so that the page never shows the wrong scheme first.
try {
  const stored = window.localStorage.getItem('mantine-color-scheme-value');
  const isDark =
    stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
} catch {
  // Some private modes refuse storage; Mantine then sets the scheme when it starts.
}
