import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { json, type RequestHandler } from 'express';
import { type Observable, Observable as RxObservable, switchMap } from 'rxjs';
import { GatewayError, invalidRequest } from './gateway.error.js';
import { malformedHttp, requestTooLarge, unsupportedMediaType } from './gateway.errors.js';

/** Bytes; provided by the application. */
export const BODY_LIMIT = Symbol('BODY_LIMIT');

/** Reads the JSON body, behind the guards: a request without a valid key is refused before its body is read. */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly parse: RequestHandler;

  constructor(@Inject(BODY_LIMIT) private readonly limit: number) {
    this.parse = json({ limit, strict: false });
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return this.read(http.getRequest<Request>(), http.getResponse<Response>()).pipe(switchMap(() => next.handle()));
  }

  private read(request: Request, response: Response): Observable<void> {
    return new RxObservable((subscriber) => {
      if (!request.is('json')) {
        subscriber.error(hasBody(request) ? unsupportedMediaType() : missingBody());
        return;
      }
      this.parse(request, response, (error?: unknown) => {
        if (error) return subscriber.error(toBodyError(error, this.limit));
        if (request.body === undefined) return subscriber.error(missingBody());
        subscriber.next();
        subscriber.complete();
      });
    });
  }
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function missingBody(): GatewayError {
  return invalidRequest('invalid_json', null, 'The request has no body. Send a JSON object as `application/json`.');
}

/** The parser's error by its `type`; its message may quote the body, so it is never passed on. */
function toBodyError(error: unknown, limit: number): GatewayError {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return requestTooLarge(limit);
    case 'entity.parse.failed':
      return invalidRequest('invalid_json', null, 'The request body is no valid JSON.');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return unsupportedMediaType();
    default:
      return malformedHttp();
  }
}
