/** The page `/docs`; it loads everything from this gateway and has no inline script. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API reference · Chat Completion Gateway</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="preload" href="/docs/swagger-ui.css" as="style">
    <link rel="stylesheet" href="/docs/docs.css">
    <script src="/docs/theme.js"></script>
  </head>
  <body>
    <a class="docs-skip" href="#docs">Skip to the content</a>
    <header class="docs-header">
      <a class="docs-brand" href="/">
        <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="#4353e0"/>
          <g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round">
            <path d="M6.5 10h5.2c4.6 0 4.6 6 9.3 6H25.5"/>
            <path d="M6.5 22h5.2c4.6 0 4.6-6 9.3-6"/>
          </g>
        </svg>
        Gateway
      </a>
      <nav aria-label="Main">
        <a href="/docs/openapi.json" download="openapi.json">OpenAPI<span class="docs-wide"> document</span></a>
        <a href="/">Console</a>
      </nav>
    </header>
    <main id="docs" tabindex="-1">
      <noscript>This page needs JavaScript. The document itself: /docs/openapi.json</noscript>
    </main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/docs.js"></script>
  </body>
</html>
`;
