import { prepare } from './lib/prepare.mjs';
import { projectPath, runScript } from './lib/project.mjs';
import { becomeNode } from './lib/runtime.mjs';

/** `bench/child.ts` strips types by itself. */
const OPTIONS = ['--disable-warning=ExperimentalWarning'];
/** Those of `bench/SUBJECT-main.ts`. */
const SUBJECTS = ['apis', 'budget', 'counters', 'growth', 'overload', 'usage', 'workers'];
/** Those of `bench/features-main.ts`. */
const FEATURES = ['cache', 'guards', 'identity'];

await runScript(async () => {
  await prepare();
  const words = process.argv.slice(2);
  const isFeature = FEATURES.includes(words[0]);
  const file = SUBJECTS.includes(words[0]) ? `${words.shift()}-main` : isFeature ? 'features-main' : 'main';
  await becomeNode([...OPTIONS, projectPath(`bench/${file}.ts`), ...words]);
});
