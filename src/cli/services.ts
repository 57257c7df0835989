import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseServer } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { CliModule } from './cli.module.js';

/** Runs `work` with the services on the gateway's database, which is started for that long if nobody runs it. */
export async function withServices<Result>(
  work: (services: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const services = await NestFactory.createApplicationContext(CliModule, { logger: false, abortOnError: false });
  try {
    await services.get(DatabaseService).start();
    return await work(services);
  } finally {
    await services.close();
    await services.get(DatabaseServer).stop();
  }
}
