import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

/** `bench/child.ts` strips types by itself. */
const OPTIONS = ['--disable-warning=ExperimentalWarning'];

await runScript(async () => {
  await prepare();
  const [subject, ...rest] = process.argv.slice(2);
  if (subject === 'usage') await becomeNode([...OPTIONS, projectPath('bench/usage-main.ts'), ...rest]);
  else if (subject === 'growth') await becomeNode([...OPTIONS, projectPath('bench/growth-main.ts'), ...rest]);
  else if (subject === 'workers') await becomeNode([...OPTIONS, projectPath('bench/workers-main.ts'), ...rest]);
  else if (subject === 'budget') await becomeNode([...OPTIONS, projectPath('bench/budget-main.ts'), ...rest]);
  else if (subject === 'apis') await becomeNode([...OPTIONS, projectPath('bench/apis-main.ts'), ...rest]);
  else if (subject === 'cache') await becomeNode([...OPTIONS, projectPath('bench/cache-main.ts'), ...rest]);
  else if (subject === 'guards') await becomeNode([...OPTIONS, projectPath('bench/guards-main.ts'), ...rest]);
  else if (subject === 'overload') await becomeNode([...OPTIONS, projectPath('bench/overload-main.ts'), ...rest]);
  else if (subject === 'counters') await becomeNode([...OPTIONS, projectPath('bench/counters-main.ts')]);
  else await becomeNode([...OPTIONS, projectPath('bench/main.ts'), ...process.argv.slice(2)]);
});
