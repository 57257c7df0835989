import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { Entrance } from './app.entrance.js';
import { ANSWER_HEADERS } from './common/answer-headers.js';
import { GatewayExceptionFilter } from './common/exception.filter.js';
import { answerHttpFaults } from './common/http-server.js';
import { CompletionsDoor } from './completions/completions.door.js';
import { OverloadService } from './completions/overload/overload.service.js';
import { RefusedCallsService } from './completions/refused-calls.service.js';
import type { Settings } from './config/settings.js';
import { ApiDocumentService } from './console/docs/api-document.service.js';
import { AccessLog } from './telemetry/access-log.js';
import type { Log } from './telemetry/logger.js';
import { AnswerMetricsService } from './telemetry/metrics/answer-metrics.service.js';

/** What a gateway is beyond its modules: middleware, error shape, HTTP server. The tests set up theirs the same way. */
export function setUpApp(app: NestExpressApplication, settings: Settings, log: Log): void {
  const { trustProxy, corsOrigins, keepAliveTimeout } = settings.server;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  const filter = new GatewayExceptionFilter();
  const entrance = new Entrance(
    new AccessLog(log, app.get(AnswerMetricsService)),
    app.get(RefusedCallsService),
    app.get(OverloadService),
    app.get(CompletionsDoor),
    filter,
  );
  app.use(entrance.middleware);
  app.useGlobalFilters(filter);
  app.get(ApiDocumentService).describe(app);
  const server: Server = app.getHttpServer();
  // Where other origins are served, calls go by Express, whose middleware answers those.
  if (corsOrigins.length > 0) allowOrigins(app, corsOrigins);
  else entrance.takeCallsFrom(server, app.getHttpAdapter().getInstance());
  server.keepAliveTimeout = keepAliveTimeout;
  server.headersTimeout = 60_000;
  answerHttpFaults(server);
}

/**
 * Only /v1 is for other origins; keys travel in a header, so no credentials are allowed. Whatever headers a page wants to
 * send are allowed: the answer to its preflight repeats their names.
 */
function allowOrigins(app: NestExpressApplication, origins: string[]): void {
  app.enableCors((request: Request, callback: (error: null, options: object) => void) => {
    const isApi = /^\/(openai\/)?v1\//i.test(request.path);
    callback(null, { origin: isApi ? origins : false, exposedHeaders: [...ANSWER_HEADERS], maxAge: 600 });
  });
}
