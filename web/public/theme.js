// Runs before the first paint, so that a page in dark mode never flashes white. A file of its own, since the content
// security policy allows no script in the page. The key is the one that the color scheme manager of Mantine uses.
(() => {
  let chosen = 'auto';
  try {
    chosen = window.localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  } catch {
    // A browser that forbids storage gets the system's scheme.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
