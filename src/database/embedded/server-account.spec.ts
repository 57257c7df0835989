import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { accountFor, canReach, changeOwnerOfTree, needsAccount } from './server-account.js';

const NOBODY = { uid: 65534, gid: 65534 };
const asRoot = needsAccount() ? it : it.skip;

describe('the account that Postgres runs as', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = new TemporaryFolder();
  });
  afterEach(() => folder.remove());

  asRoot('is not root in a folder of root', () => {
    expect(accountFor(folder.path, false).uid).not.toBe(0);
  });

  asRoot('is the owner of a folder', () => {
    chownSync(folder.path, NOBODY.uid, NOBODY.gid);
    expect(accountFor(folder.path, false)).toEqual(NOBODY);
  });

  asRoot('is an owner whom /etc/passwd does not know only once there is data', () => {
    const stranger = { uid: 54321, gid: 54321 };
    chownSync(folder.path, stranger.uid, stranger.gid);
    expect(accountFor(folder.path, true)).toEqual(stranger);
    expect(accountFor(folder.path, false)).not.toEqual(stranger);
  });

  asRoot('reaches a folder only through parents that let it pass', () => {
    const inner = path.join(folder.path, 'closed', 'inner');
    mkdirSync(inner, { recursive: true });
    expect(canReach(NOBODY, inner)).toBe(true);
    chmodSync(path.dirname(inner), 0o700);
    expect(canReach(NOBODY, inner)).toBe(false);
  });

  asRoot('is given a whole tree, without following links out of it', () => {
    const outside = path.join(folder.path, 'outside');
    const tree = path.join(folder.path, 'tree');
    mkdirSync(path.join(tree, 'lib'), { recursive: true });
    writeFileSync(outside, '');
    writeFileSync(path.join(tree, 'lib', 'file'), '');
    symlinkSync(outside, path.join(tree, 'link'));

    changeOwnerOfTree(NOBODY, tree);
    const owners = ['', 'lib', 'lib/file', 'link'].map((name) => lstatSync(path.join(tree, name)).uid);
    expect(owners).toEqual([NOBODY.uid, NOBODY.uid, NOBODY.uid, NOBODY.uid]);
    expect(statSync(outside).uid).toBe(0);
  });

  it('reaches everything when it is our own', () => {
    expect(canReach(undefined, folder.path)).toBe(true);
  });
});
