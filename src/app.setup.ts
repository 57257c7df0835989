import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { GatewayExceptionFilter, noteError, sendError } from './common/exception.filter.js';
import { doorOf } from './common/door.js';
import type { GatewayError } from './common/gateway.error.js';
import { malformedHttp, uriTooLong } from './common/gateway.errors.js';
import { answerHttpFaults } from './common/http-server.js';
import { commonHeaders, openContext } from './common/request-context.js';
import { OverloadService } from './completions/overload/overload.service.js';
import { RefusedCallsService } from './completions/refused-calls.service.js';
import type { Settings } from './config/settings.js';
import { ApiDocumentService } from './console/docs/api-document.service.js';
import { AccessLog } from './telemetry/access-log.js';
import type { Log } from './telemetry/logger.js';

const MAX_URL_LENGTH = 8192;

/** What a gateway is beyond its modules: middleware, error shape, HTTP server. The tests set up theirs the same way. */
export function setUpApp(app: NestExpressApplication, settings: Settings, log: Log): void {
  const { trustProxy, corsOrigins, keepAliveTimeout } = settings.server;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(receive(new AccessLog(log), app.get(RefusedCallsService), app.get(OverloadService)));
  if (corsOrigins.length > 0) allowOrigins(app, corsOrigins);
  app.useGlobalFilters(new GatewayExceptionFilter());
  app.get(ApiDocumentService).describe(app);
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = keepAliveTimeout;
  server.headersTimeout = 60_000;
  answerHttpFaults(server);
}

/** The one middleware of every request: each layer more would cost all of them. */
function receive(accessLog: AccessLog, refusedCalls: RefusedCallsService, overload: OverloadService) {
  return (request: Request, response: Response, next: NextFunction): void => {
    openContext(request);
    if (!isCall(request)) for (const [name, value] of Object.entries(commonHeaders(request))) response.setHeader(name, value);
    response.once('close', () => {
      request.context.body?.release();
      overload.leave(request.context);
      accessLog.note(request, response);
      refusedCalls.note(request.context, request.path, request.body);
    });
    const error = headError(request);
    if (error) {
      sendError(response, noteError(request, error));
    } else next();
  };
}

/**
 * What answers calls writes the head of its replies in one piece, these headers with it: a header that is set beforehand
 * costs more than all of those.
 */
function isCall({ method, path }: Request): boolean {
  return method === 'POST' && doorOf(path) === 'chat.completions';
}

/** HTTP/1.1 asks for a Host; Node would refuse a request without one by itself, in no shape at all. */
function headError({ url, headers, httpVersion }: Request): GatewayError | null {
  if (url.length > MAX_URL_LENGTH) return uriTooLong();
  return headers.host === undefined && httpVersion === '1.1' ? malformedHttp() : null;
}

/** Only /v1 is for other origins; keys travel in a header, so no credentials are allowed. */
function allowOrigins(app: NestExpressApplication, origins: string[]): void {
  const exposedHeaders = [
    'x-request-id',
    'openai-processing-ms',
    'retry-after',
    'retry-after-ms',
    'x-should-retry',
    'x-gateway-attempts',
    'x-gateway-fallback-from',
    'x-gateway-ignored-parameters',
    'x-gateway-idempotent-replay',
  ];
  app.enableCors((request: Request, callback: (error: null, options: object) => void) => {
    const isApi = /^\/(openai\/)?v1\//.test(request.path);
    callback(null, { origin: isApi ? origins : false, exposedHeaders, maxAge: 600 });
  });
}
