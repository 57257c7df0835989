import { chromiumPath } from './lib/chromium.mjs';
import { prepareTests } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

// Jest loads ES modules through vm modules, which Node still calls experimental.
const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const config = ['--config', projectPath('jest.browser.config.mjs')];

await runScript(async () => {
  process.env.CHROMIUM_PATH = chromiumPath();
  await prepareTests();
  await becomeNode([...options, projectPath('node_modules/jest/bin/jest.js'), ...config, ...process.argv.slice(2)]);
});
