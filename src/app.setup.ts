import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { GatewayExceptionFilter, sendError } from './common/exception.filter.js';
import type { GatewayError } from './common/gateway.error.js';
import { malformedHttp, uriTooLong } from './common/gateway.errors.js';
import { answerHttpFaults } from './common/http-server.js';
import { requestContext } from './common/request-context.js';
import type { Settings } from './config/settings.js';
import { accessLog } from './telemetry/access-log.js';

const MAX_URL_LENGTH = 8192;

/** What a gateway is beyond its modules: middleware, error shape, HTTP server. The tests set up theirs the same way. */
export function setUpApp(app: NestExpressApplication, settings: Settings, logger: Logger): void {
  const { trustProxy, corsOrigins, keepAliveTimeout } = settings.server;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(requestContext, accessLog(logger), commonHeaders, checkHead);
  if (corsOrigins.length > 0) allowOrigins(app, corsOrigins);
  app.useGlobalFilters(new GatewayExceptionFilter());
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = keepAliveTimeout;
  server.headersTimeout = 60_000;
  answerHttpFaults(server);
}

function commonHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('x-content-type-options', 'nosniff');
  next();
}

function checkHead(request: Request, response: Response, next: NextFunction): void {
  const error = headError(request);
  if (!error) {
    next();
    return;
  }
  request.context.error = error;
  sendError(response, error);
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
    'x-gateway-ignored-parameters',
  ];
  app.enableCors((request: Request, callback: (error: null, options: object) => void) => {
    const isApi = /^\/(openai\/)?v1\//.test(request.path);
    callback(null, { origin: isApi ? origins : false, exposedHeaders, maxAge: 600 });
  });
}
