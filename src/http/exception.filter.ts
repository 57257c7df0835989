import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isDatabaseUnavailable } from '../common/database-unavailable.js';
import { GatewayError, invalidRequest } from '../common/gateway.error.js';
import {
  internalError,
  methodNotSupported,
  notFound,
  serviceUnavailable,
  undecodableModel,
  unknownUrl,
} from '../common/gateway.errors.js';
import { NotFoundError } from '../common/not-found.error.js';
import { UsageError } from '../common/usage.error.js';
import { logFailure } from '../telemetry/failure-log.js';
import { allowedMethods } from './allowed-methods.js';
import { commonHeaders } from './request-context.js';
import { unservedUrlHint } from './unserved-urls.js';

/** Sends every error in OpenAI's format; unexpected errors become a 500 without details. */
@Catch()
export class GatewayExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Exception');

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(exception, http.getRequest<Request>(), http.getResponse<Response>());
  }

  answer(exception: unknown, request: Request, response: Response): void {
    const error = noteError(request, this.toGatewayError(exception, request));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, error);
  }

  private toGatewayError(exception: unknown, request: Request): GatewayError {
    if (exception instanceof GatewayError) return exception;
    if (exception instanceof UsageError) return fromUsageError(exception);
    if (exception instanceof HttpException && exception.getStatus() === 404) return noRoute(request);
    if (isUriError(exception)) return request.context.route.kind === 'models' ? undecodableModel() : unknownUrl();
    if (isDatabaseUnavailable(exception)) {
      logFailure(this.logger, 'A request cannot be served', exception, { requestId: request.context.id });
      return serviceUnavailable('The database is not available at the moment. Please try again.');
    }
    this.logger.error(exception instanceof Error ? exception : new Error('a value that is not an Error was thrown'), {
      requestId: request.context.id,
    });
    return internalError();
  }
}

export function noteError({ context }: Request, error: unknown): GatewayError {
  const known = error instanceof GatewayError ? error : internalError();
  context.error = context.pathOf ? inClientsForm(known, context.pathOf) : known;
  return context.error;
}

/** The error with the client's path of the field. */
function inClientsForm(error: GatewayError, pathOf: (path: string) => string): GatewayError {
  const { param, message } = error.body;
  const path = param === null ? null : pathOf(param);
  if (path === param) return error;
  const body = { ...error.body, param: path, message: message.replaceAll(`'${param}'`, `'${path}'`) };
  return new GatewayError(error.status, body, error.headers, { cause: error });
}

export function sendError(response: Response, error: GatewayError): void {
  const { context, headers: requestHeaders } = response.req;
  const { status, headers, text } = context.route.toErrorReply(error, context.id, requestHeaders);
  response.writeHead(status, {
    ...commonHeaders(response.req),
    ...attemptsHeader(response.req),
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function attemptsHeader({ context }: Request): Record<string, number> {
  return context.route.kind === 'call' ? { 'x-gateway-attempts': context.call?.attempts.length ?? 0 } : {};
}

function fromUsageError(error: UsageError): GatewayError {
  if (error instanceof NotFoundError) return notFound(error.message);
  return invalidRequest('invalid_value', error.field, error.message);
}

function noRoute(request: Request): GatewayError {
  const methods = allowedMethods(request);
  return methods.length > 0 ? methodNotSupported(methods) : unknownUrl(unservedUrlHint(request.path));
}

/** The path cannot be percent-decoded. */
function isUriError(exception: unknown): boolean {
  return (
    exception instanceof URIError ||
    (exception instanceof Error && exception.message.startsWith('Failed to decode param'))
  );
}
