import type { Server } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { doorOf } from './common/door.js';
import { type GatewayExceptionFilter, noteError, sendError } from './common/exception.filter.js';
import type { GatewayError } from './common/gateway.error.js';
import { malformedHttp, uriTooLong } from './common/gateway.errors.js';
import { commonHeaders, openContext } from './common/request-context.js';
import type { CompletionsDoor } from './completions/completions.door.js';
import type { OverloadService } from './completions/overload/overload.service.js';
import type { RefusedCallsService } from './completions/refused-calls.service.js';
import type { AccessLog } from './telemetry/access-log.js';

const MAX_URL_LENGTH = 8192;

/** What every request meets first, whichever way it goes on. */
export class Entrance {
  constructor(
    private readonly accessLog: AccessLog,
    private readonly refusedCalls: RefusedCallsService,
    private readonly overload: OverloadService,
    private readonly door: CompletionsDoor,
    private readonly filter: GatewayExceptionFilter,
  ) {}

  /** The one middleware of every request that Express serves: each layer more would cost all of them. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    this.open(request, response);
    if (!isCall(request.method, request.path)) setHeaders(response, commonHeaders(request));
    if (!this.refuses(request, response)) next();
  };

  /**
   * Takes calls from the server itself, past Express's router and Nest's guards, pipes and contexts, which together cost
   * each call 12 kB of memory and a quarter of its time. They are Express's requests all the same, by the adapter.
   */
  takeCallsFrom(server: Server, express: Express): void {
    server.removeListener('request', express);
    server.on('request', (request: Request, response: Response) => {
      if (!isCall(request.method, request.url)) return express(request, response);
      request.res = response;
      this.open(request, response);
      if (!this.refuses(request, response)) this.serve(request, response);
    });
  }

  private serve(request: Request, response: Response): void {
    this.door.serve(request, response).catch((error) => this.filter.tell(error, request, response));
  }

  private open(request: Request, response: Response): void {
    openContext(request);
    response.on('close', () => {
      request.context.body?.release();
      this.overload.leave(request.context);
      this.accessLog.note(request, response);
      this.refusedCalls.note(request.context, request.path, request.body);
    });
  }

  private refuses(request: Request, response: Response): boolean {
    const error = headError(request);
    if (error) sendError(response, noteError(request, error));
    return error !== null;
  }
}

/**
 * What answers calls writes the head of its replies not streamed, the common headers with it: one that is set beforehand
 * costs more than all of those.
 */
function isCall(method: string | undefined, path: string | undefined): boolean {
  return method === 'POST' && path !== undefined && doorOf(path) === 'chat.completions';
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** HTTP/1.1 asks for a Host; Node would refuse a request without one by itself, in no shape at all. */
function headError({ url, headers, httpVersion }: Request): GatewayError | null {
  if (url.length > MAX_URL_LENGTH) return uriTooLong();
  return headers.host === undefined && httpVersion === '1.1' ? malformedHttp() : null;
}
