import { viewerPlugin } from './viewer.plugin.js';

/** Applies the console's light or dark theme before the first paint, and after each change of it or of the system's. */
export const themeScript = `(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  function follow() {
    let chosen = null;
    try {
      chosen = localStorage.getItem('mantine-color-scheme-value');
    } catch {
      // A browser that forbids storage gets the system's theme.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.dataset.scheme = isDark ? 'dark' : 'light';
  }
  follow();
  system.addEventListener('change', follow);
  addEventListener('storage', follow);
})();
`;

/** A key that is typed here is forgotten with the page. */
export const startScript = `${viewerPlugin}
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#docs',
  layout: 'ConsoleLayout',
  plugins: [consolePlugin],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
`;
