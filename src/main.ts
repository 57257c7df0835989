import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { setUpApp } from './app.setup.js';
import { SettingsError } from './config/settings.error.js';
import { processSettings, type Settings } from './config/settings.js';
import { DatabaseServer } from './database/database.server.js';
import { DatabaseService } from './database/database.service.js';
import { ShutdownService } from './lifecycle/shutdown.service.js';
import { WelcomeService } from './lifecycle/welcome.service.js';
import { createLog, type Log, NestLogger } from './telemetry/logger.js';
import { TokenCounter } from './upstreams/tokens/token-counter.js';

/** How long what is left to do after the last answer may take, should the database not answer. */
const CLOSE_LIMIT_MS = 25_000;

const SAME_SIGNAL_MS = 1000;

let stopping = false;

async function start(settings: Settings, log: Log): Promise<void> {
  const { logger } = log;
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  setUpApp(app, settings, log);
  stopOnSignal(app, logger);
  try {
    await app.listen(settings.port, settings.host);
    const url = urlOf(app, settings);
    logger.info(`Listening on ${url}`);
    await Promise.all([app.get(DatabaseService).start(), app.get(TokenCounter).prepare()]);
    if (!stopping) await welcome(app.get(WelcomeService), url, logger).catch((error) => logger.warn(reasonOf(error)));
  } catch (error) {
    if (stopping) return;
    await app.get(DatabaseServer).stop();
    throw error;
  }
}

async function welcome(service: WelcomeService, url: string, logger: Log['logger']): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const setUp = isTerminal
    ? [await service.setupLink(url), await service.firstKey(url)]
    : [await service.setupFile(url)];
  const lines = [...service.status(url), ...setUp.filter((line) => line !== null)];
  if (isTerminal) process.stdout.write(`\n${lines.join('\n')}\n\n`);
  else for (const line of lines) logger.info(line);
}

/**
 * The first signal drains and ends the process well; a later one ends it now. Signals of one moment are one: a terminal
 * sends its own to every process of the group, and those who wait for this one pass theirs on.
 */
function stopOnSignal(app: NestExpressApplication, logger: Log['logger']): void {
  let askedAt = 0;
  const stop = async (): Promise<void> => {
    if (stopping && performance.now() - askedAt < SAME_SIGNAL_MS) return;
    if (stopping) process.exit(1);
    askedAt = performance.now();
    stopping = true;
    await app.get(ShutdownService).drain();
    setTimeout(() => fail(new Error('The database does not answer: the gateway ends without it.')), CLOSE_LIMIT_MS);
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

/** Says why on stderr and ends the process. */
function fail(error: unknown, title = ''): never {
  process.stderr.write(`${title}${reasonOf(error)}\n`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}

try {
  const settings = processSettings();
  await start(settings, createLog(settings.logLevel));
} catch (error) {
  fail(error, error instanceof SettingsError ? 'The configuration has mistakes:\n' : 'The gateway cannot start: ');
}
