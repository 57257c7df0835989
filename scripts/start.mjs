import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode, gatewayNodeOptions } from './lib/runtime.mjs';

await runScript(async () => {
  await prepare();
  await becomeNode([...gatewayNodeOptions, projectPath('dist/main.js'), ...process.argv.slice(2)]);
});
