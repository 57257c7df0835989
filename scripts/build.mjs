import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/project.mjs';

await runScript(prepare);
