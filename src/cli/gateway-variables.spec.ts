import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { adoptGateway, assertDatabase } from './gateway-variables.js';

describe('a command without DATABASE_URL and DATA_DIR', () => {
  const before = { variables: process.env, folder: process.cwd() };
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  beforeEach(async () => {
    folder = await createWorkFolder();
    process.env = { PATH: before.variables.PATH };
    process.chdir(folder.path);
  });
  afterEach(async () => {
    process.env = before.variables;
    process.chdir(before.folder);
    await folder.remove();
  });

  it('is refused where no gateway has made a database', () => {
    adoptGateway('/nowhere/environment');
    expect(() => assertDatabase()).toThrow(/There is no database in .+ Start the gateway first, or name its database/);
  });

  it('is accepted where a gateway has made one', async () => {
    await mkdir('data/postgres/pg18', { recursive: true });
    await writeFile('data/postgres/pg18/PG_VERSION', '18');
    expect(() => assertDatabase()).not.toThrow();
  });

  it.each(['DATABASE_URL=postgres://db/x', 'DATA_DIR=/srv/data'])('is accepted with %s in .env', async (line) => {
    await writeFile('.env', line);
    expect(() => assertDatabase()).not.toThrow();
  });

  it("takes the variables of the systemd service; the command's own come first", async () => {
    const file = join(folder.path, 'environment');
    await writeFile(file, 'DATABASE_URL=postgres://db/service\nLOG_LEVEL=debug\n');
    process.env.LOG_LEVEL = 'warn';
    adoptGateway(file, '/var/lib/service');
    expect(process.env).toMatchObject({
      DATABASE_URL: 'postgres://db/service',
      DATA_DIR: '/var/lib/service',
      LOG_LEVEL: 'warn',
    });
    expect(() => assertDatabase()).not.toThrow();
  });

  it("names the service's file if it cannot be read", async () => {
    expect(() => adoptGateway(folder.path)).toThrow(
      `The gateway's variables are in ${folder.path}, which cannot be read (EISDIR).`,
    );
  });
});
