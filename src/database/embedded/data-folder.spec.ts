import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import {
  accountFor,
  canReach,
  changeOwnerOfTree,
  folderInSharedState,
  needsAccount,
  openDataFolder,
} from './data-folder.js';

const asRoot = needsAccount() ? it : it.skip;

describe('the data folder', () => {
  let parent: TemporaryFolder;
  let requested: string;
  beforeEach(() => {
    parent = new TemporaryFolder();
    requested = path.join(parent.path, 'data', 'postgres');
  });
  afterEach(() => {
    rmSync(folderInSharedState(requested), { recursive: true, force: true });
    parent.remove();
  });

  function putData(folder: string): void {
    mkdirSync(path.join(folder, 'pg18'), { recursive: true });
    writeFileSync(path.join(folder, 'pg18', 'PG_VERSION'), '18\n');
  }

  it('is created as a private folder at the configured path', () => {
    const folder = openDataFolder(requested);
    expect(folder).toMatchObject({ path: realpathSync(requested), isElsewhere: false });
    expect(statSync(requested).mode & 0o777).toBe(0o700);
  });

  it('has one path, regardless of symbolic links', () => {
    const { path: real } = openDataFolder(requested);
    symlinkSync(requested, path.join(parent.path, 'link'));
    expect(openDataFolder(path.join(parent.path, 'link')).path).toBe(real);
  });

  asRoot('belongs to the account that runs Postgres', () => {
    const { account } = openDataFolder(requested);
    expect(statSync(requested).uid).toBe(account?.uid);
  });

  asRoot('lies below /var/lib when the account cannot pass a parent, and stays there', () => {
    chmodSync(parent.path, 0o700);
    const elsewhere = openDataFolder(requested);
    expect(elsewhere).toMatchObject({ path: folderInSharedState(requested), isElsewhere: true });
    expect(elsewhere.path).toMatch(/^\/var\/lib\/chat-completion-gateway\/[0-9a-f]{12}$/);
    putData(elsewhere.path);

    chmodSync(parent.path, 0o755);
    expect(openDataFolder(requested).path).toBe(elsewhere.path);
  });

  asRoot('is refused, and not replaced by an empty one, when its data can no longer be reached', () => {
    const { path: first } = openDataFolder(requested);
    putData(first);
    chmodSync(parent.path, 0o700);
    expect(() => openDataFolder(requested)).toThrow(`cannot enter a parent folder of ${requested}`);
    expect(existsSync(folderInSharedState(requested))).toBe(false);
  });

  it('has different fallback paths below /var/lib for different folders', () => {
    expect(folderInSharedState('/a/postgres')).not.toBe(folderInSharedState('/b/postgres'));
    expect(folderInSharedState('/a/../a/postgres')).toBe(folderInSharedState('/a/postgres'));
  });
});

const NOBODY = { uid: 65534, gid: 65534 };

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
