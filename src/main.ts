import { AppModule } from './app.module.js';
import { AppProcess, failToStart, reasonOf } from './app.process.js';
import { processSettings, type Settings } from './config/settings.js';
import { DatabaseServer } from './database/database.server.js';
import { DatabaseService } from './database/database.service.js';
import { Listeners } from './http/listeners/listeners.js';
import { refuseTakenPort } from './http/listeners/taken-port.js';
import { GatewayPort } from './lifecycle/gateway-port.js';
import { WelcomeService } from './lifecycle/welcome.service.js';
import { Workers } from './lifecycle/workers.js';
import { createLog, type Log, type ProcessLog } from './telemetry/logger.js';
import { MetricsService } from './telemetry/metrics.service.js';
import { PROVIDERS } from './upstreams/providers/providers.js';

const WORKER = new URL('worker.js', import.meta.url);

/** The time after the limit for answers; a worker that takes longer is considered hung. */
const WORKER_CLOSE_LIMIT_MS = 35_000;

async function start(settings: Settings, log: ProcessLog): Promise<void> {
  const { logger } = log;
  const { port, host, workers: count, shutdown } = settings;
  if (count > 1) await refuseTakenPort(port, host);
  const workers = new Workers({ count, program: WORKER, log, ownMetrics: () => metrics.own() });
  const first = await AppProcess.create(AppModule.gateway(), settings, log);
  const metrics = first.app.get(MetricsService);
  if (count > 1) metrics.aggregate(() => workers.metrics());
  const database = first.app.get(DatabaseServer);
  first.stopOnSignal({
    beside: (signal) => workers.stop(shutdown.drainDelay + shutdown.deadline + WORKER_CLOSE_LIMIT_MS, signal),
    after: () => database.stop(),
  });
  try {
    await first.app.init();
    const gatewayPort = new GatewayPort(first.app.get(Listeners), settings, logger);
    await gatewayPort.reserve();
    if (settings.server.listen === 'start') await gatewayPort.open();
    const schema = first.app.get(DatabaseService);
    // Last, so that the gateway is ready when the workers are.
    if (count > 1) {
      schema.beforeReady(async () => {
        await workers.begin({ port: port || (await gatewayPort.open()), database: await database.addressForWorkers() });
      });
    }
    await schema.start();
    if (first.isStopping) return;
    await welcome(first.app.get(WelcomeService), await gatewayPort.url(), logger).catch((error) =>
      logger.warn(reasonOf(error)),
    );
  } catch (error) {
    if (first.isStopping) return;
    await database.stop();
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
  const warning = service.warning();
  if (warning) logger.warn(warning);
}

try {
  const settings = processSettings(PROVIDERS);
  await start(settings, createLog(settings.logLevel, settings.workers > 1 ? 1 : undefined));
} catch (error) {
  failToStart(error);
}
