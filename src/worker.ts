import { AppModule } from './app.module.js';
import { AppProcess, failToStart } from './app.process.js';
import { processSettings, type Settings } from './config/settings.js';
import { DatabaseService } from './database/database.service.js';
import { Listeners } from './http/listeners/listeners.js';
import { Channel } from './lifecycle/channel.js';
import { ALL_METRICS, OWN_METRICS, SERVE, type WorkerOrder } from './lifecycle/workers.js';
import { createLog } from './telemetry/logger.js';
import { MetricsService, type ProcessMetrics } from './telemetry/metrics.service.js';
import { PROVIDERS } from './upstreams/providers/providers.js';

/** Listens only when it is ready, so that other processes get the connections until then. */
async function serve(settings: Settings, first: Channel, { number, port, database }: WorkerOrder): Promise<void> {
  const worker = await AppProcess.create(AppModule.worker(database), settings, createLog(settings.logLevel, number));
  worker.stopOnSignal();
  const metrics = worker.app.get(MetricsService);
  metrics.aggregate(() => first.ask(ALL_METRICS) as Promise<ProcessMetrics[]>);
  first.answer(OWN_METRICS, () => metrics.own());
  await worker.app.init();
  await worker.app.get(DatabaseService).start();
  if (!worker.isStopping) await worker.app.get(Listeners).join({ port, host: settings.host });
}

// The first process has ended. Its embedded database ends with it, and its successor needs the port.
process.once('disconnect', () => process.exit(1));

try {
  const settings = processSettings(PROVIDERS);
  const first = new Channel(process);
  first.answer(SERVE, (order) => serve(settings, first, order as WorkerOrder).catch(failToStart));
} catch (error) {
  failToStart(error);
}
