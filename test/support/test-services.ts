import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { loadSettings, SETTINGS } from '../../src/config/settings.js';
import { SettingsModule } from '../../src/config/settings.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { afterFile } from './after-file.js';
import { createWorkFolder } from './test-settings.js';

/** No folder can be created there: the services have no journal. */
const NO_DATA = '/dev/null/data';

/** Some modules of a gateway on a migrated database, closed after the tests of the file at the latest. */
export async function startServices(databaseUrl: string, ...modules: Type[]): Promise<TestingModule> {
  return startServicesIn(NO_DATA, databaseUrl, ...modules);
}

/** The same with a data folder. */
export async function startServicesIn(
  dataDir: string,
  databaseUrl: string,
  ...modules: Type[]
): Promise<TestingModule> {
  const services = await createServicesIn(dataDir, databaseUrl, ...modules);
  await services.get(DatabaseService).start();
  return services;
}

/** The same before the database is used. */
export async function createServices(databaseUrl: string, ...modules: Type[]): Promise<TestingModule> {
  return createServicesIn(NO_DATA, databaseUrl, ...modules);
}

async function createServicesIn(dataDir: string, databaseUrl: string, ...modules: Type[]): Promise<TestingModule> {
  const folder = await createWorkFolder();
  const settings = loadSettings(
    { ...folder.variables, DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    PROVIDERS,
    folder.path,
  );
  await folder.remove();
  const services = await Test.createTestingModule({
    imports: [SettingsModule.forProtocols(PROVIDERS), DatabaseModule.for('gateway'), ...modules],
  })
    .overrideProvider(SETTINGS)
    .useValue(settings)
    .compile();
  services.useLogger(false);
  services.close = afterFile(services.close.bind(services));
  return services.init();
}
