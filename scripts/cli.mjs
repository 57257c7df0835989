import { prepareServer } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

await runScript(async () => {
  await prepareServer();
  await becomeNode([projectPath('dist/cli/main.js'), ...process.argv.slice(2)]);
});
