import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The absolute path of a file or folder of this checkout. */
export function projectPath(...parts) {
  return join(root, ...parts);
}

/** Prints a message for the person at the terminal; on stderr, because stdout is for the output of the command. */
export function say(line) {
  writeSync(2, `${line}\n`);
}

/** A failure with a complete message: it is shown without a stack. */
export class Failure extends Error {}

/** Runs the body of a script. On a failure it prints the message and sets the exit code 1. */
export async function runScript(body) {
  try {
    await body();
  } catch (error) {
    say(error instanceof Failure ? error.message : error.stack);
    process.exitCode = 1;
  }
}
