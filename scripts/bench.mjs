import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

await runScript(async () => {
  await prepare();
  const [subject, ...rest] = process.argv.slice(2);
  if (subject === 'usage') await becomeNode([projectPath('bench/usage-main.ts'), ...rest]);
  else if (subject === 'workers') await becomeNode([projectPath('bench/workers-main.ts'), ...rest]);
  else if (subject === 'budget') await becomeNode([projectPath('bench/budget-main.ts'), ...rest]);
  else if (subject === 'overload') await becomeNode([projectPath('bench/overload-main.ts'), ...rest]);
  else if (subject === 'counters') await becomeNode([projectPath('bench/counters-main.ts')]);
  else await becomeNode([projectPath('bench/main.ts'), ...process.argv.slice(2)]);
});
