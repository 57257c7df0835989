import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { loadSettings } from './settings.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

describe('the first administrator of the environment', () => {
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  const load = (variables: Record<string, string>) =>
    loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path).firstAdmin;
  beforeAll(async () => {
    folder = await createWorkFolder();
  });
  afterAll(() => folder?.remove());

  it('has an address, and a password in a file', async () => {
    const file = join(folder.path, 'password');
    await writeFile(file, `${PASSWORD}\n`);
    expect(load({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD_FILE: file })).toEqual({ email: EMAIL, password: PASSWORD });
    expect(load({})).toBeNull();
  });

  it.each([
    [{ ADMIN_EMAIL: EMAIL }, 'environment: ADMIN_PASSWORD_FILE is required by ADMIN_EMAIL'],
    [{ ADMIN_PASSWORD: PASSWORD }, 'environment: ADMIN_EMAIL is required by ADMIN_PASSWORD'],
    [{ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: PASSWORD }, 'environment: ADMIN_EMAIL must be an e-mail address'],
    [{ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: 'short' }, 'environment: ADMIN_PASSWORD must have 12 to 1024 characters'],
  ])('is refused: %j', (variables, fault) => {
    expect(() => load(variables)).toThrow(fault);
  });
});
