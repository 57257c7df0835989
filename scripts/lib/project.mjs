import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The absolute path of a file or folder of this checkout. */
export function projectPath(...parts) {
  return join(root, ...parts);
}

/** Tells the person at the terminal; on stderr, since stdout belongs to what the command prints. */
export function say(line) {
  writeSync(2, `${line}\n`);
}

/** A failure whose message says all there is to know: shown without a stack. */
export class Failure extends Error {}

/** Runs a script's body; a failure is told in its own words and makes the exit code 1. */
export async function runScript(body) {
  try {
    await body();
  } catch (error) {
    say(error instanceof Failure ? error.message : error.stack);
    process.exitCode = 1;
  }
}
