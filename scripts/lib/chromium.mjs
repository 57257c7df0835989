import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './project.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The browser for the tests: CHROMIUM_PATH, or the first one found on the system. */
export function chromiumPath() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isProgram(given)) return given;
    throw new Failure(`CHROMIUM_PATH is not a program: ${given}`);
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  const found = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(isProgram);
  if (found) return found;
  throw new Failure('The browser tests need Chromium: install it ("apt-get install chromium"), or set CHROMIUM_PATH.');
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
