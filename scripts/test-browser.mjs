import { chromiumPath } from './lib/chromium.mjs';
import { runScript } from './lib/project.mjs';
import { runJest } from './lib/run-jest.mjs';

await runScript(async () => {
  process.env.CHROMIUM_PATH = chromiumPath();
  await runJest('jest.browser.config.mjs');
});
