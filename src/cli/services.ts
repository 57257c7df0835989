import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Files } from '../config/settings.js';
import { DatabaseServer } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { CliModule } from './cli.module.js';
import { print, type Row } from './output.js';

type Work<Result> = (services: INestApplicationContext) => Promise<Result>;

/**
 * Runs `work` with the services on the gateway's database. An embedded database that is not running is started for that
 * time.
 */
export function withServices<Result>(work: Work<Result>, files: Files = 'read'): Promise<Result> {
  return withoutMigrations(async (services) => {
    await services.get(DatabaseService).start();
    return work(services);
  }, files);
}

/** Prints the result of `work`. */
export async function printResult(json: boolean | undefined, work: Work<Row | readonly Row[]>): Promise<void> {
  print(await withServices(work), json);
}

/**
 * The same on a database in any state, such as empty or of another version. Only services that open their own
 * connections work.
 */
export async function withoutMigrations<Result>(work: Work<Result>, files: Files = 'read'): Promise<Result> {
  const module = CliModule.with(files);
  const services = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    return await work(services);
  } finally {
    await services.close();
    await services.get(DatabaseServer).stop();
  }
}
