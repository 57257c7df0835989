import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { setUpApp } from './app.setup.js';
import { SettingsError } from './config/settings.error.js';
import { processSettings, type Settings } from './config/settings.js';
import { DatabaseServer } from './database/database.server.js';
import { DatabaseService } from './database/database.service.js';
import { ShutdownService } from './lifecycle/shutdown.service.js';
import { WelcomeService } from './lifecycle/welcome.service.js';
import { createLogger, NestLogger } from './telemetry/logger.js';

async function start(settings: Settings, logger: Logger): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  setUpApp(app, settings, logger);
  stopOnSignal(app, logger);
  await app.listen(settings.port, settings.host);
  const url = urlOf(app, settings);
  logger.info(`Listening on ${url}`);
  await app.get(DatabaseService).start();
  await welcome(app.get(WelcomeService), url, logger);
}

async function welcome(service: WelcomeService, url: string, logger: Logger): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const firstKey = await service.firstKey(url, isTerminal);
  const lines = [...service.status(url), ...(firstKey === null ? [] : [firstKey])];
  if (isTerminal) process.stdout.write(`\n${lines.join('\n')}\n\n`);
  else for (const line of lines) logger.info(line);
}

/** The first signal drains and ends the process well; a second one ends it now. */
function stopOnSignal(app: NestExpressApplication, logger: Logger): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    await app.get(ShutdownService).drain();
    await app.close();
    await app.get(DatabaseServer).stop();
    logger.info('Stopped.');
    logger.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => stop().catch((error) => fail(error)));
  }
}

function urlOf(app: NestExpressApplication, { host }: Settings): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

function fail(error: unknown): never {
  const reason = error instanceof SettingsError ? `The configuration has mistakes:\n${error.message}` : describe(error);
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  return `The gateway cannot start: ${error instanceof Error ? error.message || String(error) : String(error)}`;
}

try {
  const settings = processSettings();
  await start(settings, createLogger(settings.logLevel));
} catch (error) {
  fail(error);
}
