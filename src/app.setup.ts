import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { APIS } from './apis/apis.js';
import type { Settings } from './config/settings.js';
import { ApiDocumentService } from './console/docs/api-document.service.js';
import { AccessLog } from './http/access-log.js';
import { Entrance } from './http/entrance/entrance.js';
import { GatewayExceptionFilter } from './http/exception.filter.js';
import { answerHttpFaults } from './http/http-faults.js';
import { Routes } from './http/route.js';
import { AnswerMetricsService } from './telemetry/answer-metrics.service.js';
import type { Log } from './telemetry/logger.js';

/** Sets up the entrance, error format and HTTP server of a gateway, also in tests. */
export function setUpApp(app: NestExpressApplication, settings: Settings, log: Log): void {
  const { trustProxy, corsOrigins, keepAliveTimeout } = settings.server;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  const filter = new GatewayExceptionFilter();
  app.useGlobalFilters(filter);
  app.get(ApiDocumentService).describe(app);
  const controllers = APIS.map((api) => app.get(api));
  const server: Server = app.getHttpServer();
  new Entrance(new AccessLog(log, app.get(AnswerMetricsService)), filter, {
    routes: new Routes(controllers, ['/v1/chat/completions']),
    corsOrigins,
  }).takeRequestsOf(server, app.getHttpAdapter().getInstance());
  server.keepAliveTimeout = keepAliveTimeout;
  server.headersTimeout = 60_000;
  answerHttpFaults(server);
}
