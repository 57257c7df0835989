import { operationStyle } from './operation.style.js';
import { webFonts } from './web-fonts.js';

/** The console's colors; the viewer's own style sheet is in a lower layer, so that these rules win. */
const head = `@import url("/docs/swagger-ui.css") layer(viewer);
`;

const page = `
:root, :root[data-scheme="light"] {
  color-scheme: light;
  --body: #fff; --surface: #f8f9fb; --hover: #f1f3f6; --border: #e5e8ed; --control: #b3bac5; --text: #12161d;
  --dimmed: #5f6878; --accent: #4353e0; --filled: #4353e0; --filled-hover: #3644c4; --good: #0a7a4b; --bad: #b01f26;
  --violet: #6b3fa0; --get: #2457b8; --get-soft: #e9f0fd; --post: #096b42; --post-soft: #e4f5ec; --put: #885000;
  --copy: #5f6878; --put-soft: #fdf2de; --patch: #6b3fa0; --patch-soft: #f3ecfb; --delete: #b01f26; --delete-soft: #fff1f1;
}
:root[data-scheme="dark"] {
  color-scheme: dark;
  --body: #101317; --surface: #0b0d10; --hover: #181c22; --border: #252a33; --control: #4a525f; --text: #e3e6eb;
  --dimmed: #959daa; --accent: #a1aeff; --filled: #5765ea; --filled-hover: #4353e0; --good: #4cc38a; --bad: #ff9a9c;
  --violet: #c9a8f5; --get: #a3c2ff; --get-soft: #1a2844; --post: #5ed19a; --post-soft: #12301f; --put: #f0b049;
  --copy: #444c5a; --put-soft: #33260f; --patch: #c9a8f5; --patch-soft: #2a1f3d; --delete: #ff9a9c; --delete-soft: #3a181b;
}
:root {
  --sans: "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: "JetBrains Mono Variable", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  background: var(--body);
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--body); color: var(--text); font: 400 0.875rem/1.5 var(--sans);
  font-feature-settings: "cv11", "ss03"; letter-spacing: -0.003em; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code, pre { font-variant-ligatures: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.docs-skip { position: fixed; top: -4rem; left: 0.75rem; z-index: 2; padding: 0.5rem 0.875rem; border-radius: 7px;
  background: var(--filled); color: #fff; }
.docs-skip:focus { top: 0.625rem; }
.docs-header { position: sticky; top: 0; z-index: 1; display: flex; justify-content: space-between; align-items: center;
  gap: 1rem; height: 56px; padding-inline: 1.5rem; border-bottom: 1px solid var(--border); background: var(--body); }
.docs-brand { display: flex; align-items: center; gap: 10px; border-radius: 7px; color: var(--text); font-weight: 650;
  letter-spacing: -0.015em; text-decoration: none; }
.docs-header nav { display: flex; gap: 0.25rem; }
.docs-header nav a { padding: 0.375rem 0.75rem; border-radius: 7px; color: var(--dimmed); font-weight: 500;
  text-decoration: none; }
.docs-header nav a:hover { background: var(--hover); color: var(--text); }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 2rem 4rem; }
:target, .docs-group, .opblock { scroll-margin-top: 72px; }
.docs-title { margin: 0 0 0.5rem; font: 600 1.375rem/1.3 var(--sans); letter-spacing: -0.012em; }
.docs-about, .docs-group-about { color: var(--dimmed); }
.docs-about { max-width: 46rem; }
.docs-state { margin: 3rem 0; color: var(--dimmed); text-align: center; }
.docs-tools { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0 2rem; }
.docs-filter { flex: 1 1 14rem; }
.docs-group { margin-bottom: 2rem; }
.docs-group h2, .models > h4 { margin: 0; font: 600 1rem/1.4 var(--sans); letter-spacing: -0.012em; }
.docs-group h2 button, .models-control { display: flex; justify-content: space-between; align-items: center; width: 100%;
  padding: 0.25rem 0; border: 0; border-radius: 5px; background: none; color: inherit; font: inherit; text-align: start;
  cursor: pointer; }
.docs-chevron { flex: none; color: var(--dimmed); transition: transform 0.15s; }
[aria-expanded="true"] > .docs-chevron { transform: rotate(180deg); }
.docs-group-about { margin: 0.125rem 0 0.625rem; }
.docs-dialog { width: min(27rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--border); border-radius: 10px;
  background: var(--body); color: var(--text); box-shadow: 0 16px 48px rgb(0 0 0 / 25%); }
.docs-dialog::backdrop { background: rgb(0 0 0 / 45%); }
.docs-dialog h2 { margin: 0; font: 600 1rem/1.4 var(--sans); }
.docs-dialog p { margin: 0.375rem 0 1rem; color: var(--dimmed); }
.docs-dialog label { display: block; margin-bottom: 0.25rem; font: 500 0.8125rem/1.45 var(--sans); }
.docs-dialog input { width: 100%; }
.docs-dialog-buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; margin-top: 1.25rem; }
.docs-forget { margin-right: auto; }
@media (max-width: 48em) {
  .docs-header { padding-inline: 0.75rem; }
  .docs-wide { display: none; }
  main { padding: 1.25rem 1rem 3rem; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
`;

/** The style sheet of `/docs`, with the console's fonts if it is built. */
export async function docsStyle(): Promise<string> {
  return head + (await webFonts()) + page + operationStyle;
}
