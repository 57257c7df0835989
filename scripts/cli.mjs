import { prepareServer } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode, gatewayNodeOptions } from './lib/runtime.mjs';

await runScript(async () => {
  await prepareServer();
  await becomeNode([...gatewayNodeOptions, projectPath('dist/cli/main.js'), ...process.argv.slice(2)]);
});
