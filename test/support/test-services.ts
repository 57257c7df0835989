import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { loadSettings, settingsProvider } from '../../src/config/settings.js';
import { SettingsModule } from '../../src/config/settings.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { createWorkFolder } from './test-settings.js';

/** Some modules of a gateway on a migrated database, without the rest; to be ended by `close()`. */
export async function startServices(databaseUrl: string, ...modules: Type[]): Promise<TestingModule> {
  const services = await createServices(databaseUrl, ...modules);
  await services.get(DatabaseService).start();
  return services;
}

/** The same before the database is asked for. */
export async function createServices(databaseUrl: string, ...modules: Type[]): Promise<TestingModule> {
  const folder = await createWorkFolder();
  const settings = loadSettings({ ...folder.variables, DATABASE_URL: databaseUrl }, folder.path);
  await folder.remove();
  const services = await Test.createTestingModule({
    imports: [SettingsModule, DatabaseModule.for('gateway'), ...modules],
  })
    .overrideProvider(settingsProvider.KEY)
    .useValue(settings)
    .compile();
  services.useLogger(false);
  return services.init();
}
