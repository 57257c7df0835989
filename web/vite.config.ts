import mantinePreset from 'postcss-preset-mantine';
import { defineConfig } from 'vite';
import { chunks } from './vite.chunks.ts';
import { icons } from './vite.icons.ts';

const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080';

/** The console's front end: built into dist/web, from where the gateway serves it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [icons()],
  css: { postcss: { plugins: [mantinePreset()] } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // The content security policy allows files of this origin only: nothing is inlined into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Components say "use client" for frameworks that render on a server; here all of it runs in the browser.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/v1', '/health'].map((path) => [path, gateway])),
  },
});
