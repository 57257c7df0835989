import { type Comparison, compare } from './comparison.ts';
import { OPTIONS_HELP, type Options, parseOptions } from './options.ts';
import { quick, thorough } from './phases.ts';
import { profile } from './profiling.ts';
import { prepare, type Setting } from './setting.ts';
import { toTable } from './table.ts';

const options = readOptions(process.argv.slice(2));
const setting = await prepare(options);
try {
  if (options.profile) console.log(await profile(setting));
  else report(await compare(setting, options.quick ? quick : thorough, !options.quick), setting, options);
} finally {
  await setting.stop();
}

function report(comparison: Comparison, { pinning }: Setting, { json }: Options): void {
  console.log(json ? JSON.stringify(comparison, null, 2) : toTable(comparison, pinning));
  if (comparison.errors > 0) process.exitCode = 1;
}

function readOptions(words: string[]): Options {
  try {
    return parseOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${OPTIONS_HELP}`);
    process.exit(2);
  }
}
