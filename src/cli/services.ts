import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApplyModule } from '../apply/apply.service.js';
import { AuthModule } from '../auth/auth.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { CacheSettingsModule } from '../cache/cache-settings.service.js';
import type { Files } from '../config/settings.js';
import { SettingsModule } from '../config/settings.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseServer } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { LedgerVerificationModule } from '../ledger/ledger-verification.module.js';
import { BudgetsModule } from '../limits/budgets.module.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { assertDatabase } from './gateway-variables.js';
import { print, type Row } from './output.js';

type Work<Result> = (services: INestApplicationContext) => Promise<Result>;

/**
 * Runs `work` with the services on the gateway's database. An embedded database that is not running is started for that
 * time.
 */
export function withServices<Result>(
  work: Work<Result>,
  files: Files = 'read',
  module?: DynamicModule,
): Promise<Result> {
  const started: Work<Result> = async (services) => {
    await services.get(DatabaseService).start();
    return work(services);
  };
  return withoutMigrations(started, files, module);
}

/** Prints the result of `work`. */
export async function printResult(json: boolean | undefined, work: Work<Row | readonly Row[]>): Promise<void> {
  print(await withServices(work), json);
}

/**
 * The same on a database in any state, such as empty or of another version. Only services that open their own
 * connections work.
 */
export async function withoutMigrations<Result>(
  work: Work<Result>,
  files: Files = 'read',
  module: DynamicModule = CliModule.with(files),
): Promise<Result> {
  assertDatabase();
  const services = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    return await work(services);
  } finally {
    await services.close();
    await services.get(DatabaseServer).stop();
  }
}

/** One for all modules of the command line: a connection is registered once in a process. */
export const TOOL_DATABASE = DatabaseModule.for('tool');

/** The services for the commands; it serves no requests. */
@Module({
  imports: [
    TOOL_DATABASE,
    AccountsModule,
    ApplyModule,
    CacheSettingsModule,
    BillingModule,
    AuthModule,
    BackupModule,
    BudgetsModule,
    LedgerVerificationModule,
  ],
})
class CliModule {
  static with(files: Files): DynamicModule {
    return { module: CliModule, imports: [SettingsModule.forProtocols(PROVIDERS, files)] };
  }
}
