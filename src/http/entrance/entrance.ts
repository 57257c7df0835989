import type { Server } from 'node:http';
import cors from 'cors';
import type { Express, Request, Response } from 'express';
import type { GatewayError } from '../../common/gateway.error.js';
import { malformedHttp, uriTooLong } from '../../common/gateway.errors.js';
import type { AccessLog } from '../access-log.js';
import { ANSWER_HEADERS } from '../answer-headers.js';
import { type GatewayExceptionFilter, noteError, sendError } from '../exception.filter.js';
import { commonHeaders, openContext } from '../request-context.js';
import type { ListedRoute, Route, Routes } from '../route.js';

const MAX_URL_LENGTH = 8192;
const PUBLIC: ReadonlySet<Route['kind']> = new Set(['call', 'models', 'api']);

/** The controller of an API; it is also the API's route. */
export interface CallController extends ListedRoute {
  readonly kind: 'call';
  /** Resolves when the reply has ended; rejects with an error that must still be sent. */
  create(request: Request, response: Response): Promise<void>;
  /** Called once for each call, when its response has ended or its client has disconnected. */
  ended(request: Request): void;
}

export interface EntranceOptions {
  readonly routes: Routes<CallController>;
  readonly corsOrigins: string[];
}

/** Receives every request. Passes calls to their controller, and all other requests to Express. See README.md. */
export class Entrance {
  private readonly allowOrigins: ReturnType<typeof cors> | null;

  constructor(
    private readonly accessLog: AccessLog,
    private readonly filter: GatewayExceptionFilter,
    private readonly options: EntranceOptions,
  ) {
    const { corsOrigins } = options;
    // Keys are sent in a header, so credentials are not allowed. The answer to a preflight repeats the requested header
    // names.
    this.allowOrigins = corsOrigins.length
      ? cors({ origin: corsOrigins, exposedHeaders: [...ANSWER_HEADERS], maxAge: 600 })
      : null;
  }

  takeRequestsOf(server: Server, express: Express): void {
    server.removeListener('request', express);
    server.on('request', (request: Request, response: Response) => this.take(request, response, express));
  }

  private take(request: Request, response: Response, express: Express): void {
    request.res = response;
    const { context } = openContext(request, this.options.routes.of(pathOf(request.url)));
    const { route } = context;
    const api = route.kind === 'call' ? (route as CallController) : null;
    const controller = request.method === 'POST' ? api : null;
    response.on('close', () => {
      context.body?.release();
      this.accessLog.note(request, response);
      api?.ended(request);
    });
    // The controllers of calls write the common headers with the rest of the head, which is faster.
    if (controller === null) setHeaders(response, commonHeaders(request));
    const error = headError(request);
    if (error) {
      sendError(response, noteError(request, error));
      return;
    }
    const next = controller ?? express;
    if (this.allowOrigins === null || !PUBLIC.has(route.kind)) this.pass(next, request, response);
    else this.allowOrigins(request, response, () => this.pass(next, request, response));
  }

  private pass(next: CallController | Express, request: Request, response: Response): void {
    if ('create' in next) next.create(request, response).catch((error) => this.filter.answer(error, request, response));
    else next(request, response);
  }
}

/** Proxies may send the request's target in absolute form. */
function pathOf(url: string): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? url;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** HTTP/1.1 requires a Host header; Node's own refusal would not have the gateway's error format. */
function headError({ url, headers, httpVersion }: Request): GatewayError | null {
  if (url.length > MAX_URL_LENGTH) return uriTooLong();
  return headers.host === undefined && httpVersion === '1.1' ? malformedHttp() : null;
}
