import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SettingsModule } from '../config/settings.module.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';

type Work<Result> = (services: INestApplicationContext) => Promise<Result>;

/** The services for the commands that call upstreams; they need no database. */
@Module({ imports: [SettingsModule.forProtocols(PROVIDERS), UpstreamsModule] })
class UpstreamCliModule {}

export async function withUpstreams<Result>(work: Work<Result>): Promise<Result> {
  const services = await NestFactory.createApplicationContext(UpstreamCliModule, {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
