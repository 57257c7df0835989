import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds a program on this machine. Without it its tests are skipped, unless the variable `required` (TEST_…) says that
 * it was installed for them.
 */
export function findProgram(name: string, required: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (!found && process.env[required] === 'required') throw new Error(`${required}=required, but ${name} is not there`);
  return found;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
