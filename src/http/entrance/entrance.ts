import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import cors from 'cors';
import type { Express, Request, Response } from 'express';
import { type GatewayError, malformedHttp, uriTooLong, webSocketNotSupported } from '../../common/gateway.error.js';
import type { AccessLog } from '../access-log.js';
import { type GatewayExceptionFilter, noteError, sendError } from '../exception.filter.js';
import { commonHeaders, openContext } from '../request-context.js';
import { type ListedRoute, pathOf, type Route, type Routes } from '../route.js';
import { RequestTurns } from './request-turns.js';

const MAX_URL_LENGTH = 8192;
const FOR_OTHER_ORIGINS: ReadonlySet<Route['kind']> = new Set(['call', 'models', 'api']);

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
  private readonly pipelined = new PipelinedRequests();
  private readonly turns = new RequestTurns();

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
    server.on('request', (request: Request, response: Response) => {
      const { socket } = request;
      const serve = () => this.turns.take(socket, () => this.take(request, response, express));
      const ended = this.pipelined.take(socket, serve);
      response.on('close', ended);
    });
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
    const error = headError(request, api);
    if (error) {
      sendError(response, noteError(request, error));
      return;
    }
    const next = controller ?? express;
    if (this.allowOrigins === null || !FOR_OTHER_ORIGINS.has(route.kind)) this.pass(next, request, response);
    else this.allowOrigins(request, response, () => this.pass(next, request, response));
  }

  private pass(next: CallController | Express, request: Request, response: Response): void {
    if ('create' in next) next.create(request, response).catch((error) => this.filter.answer(error, request, response));
    else next(request, response);
  }
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** HTTP/1.1 requires a Host header; Node's own refusal would not have the gateway's error format. */
function headError({ url, headers, httpVersion, method }: Request, api: CallController | null): GatewayError | null {
  if (url.length > MAX_URL_LENGTH) return uriTooLong();
  if (api && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket') return webSocketNotSupported();
  return headers.host === undefined && httpVersion === '1.1' ? malformedHttp() : null;
}

/** Requests of one connection that are served at the same time, and begun in one turn of the event loop. */
const MOST_AT_ONCE = 8;

/**
 * Serves the pipelined requests of a connection a few at a time, since one read can contain a thousand of them. While
 * some wait, nothing more is read.
 */
class PipelinedRequests {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Calls `serve` now or in a later turn; call the returned function when the request has ended. */
  take(socket: Socket, serve: () => void): () => void {
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket);
      this.connections.set(socket, connection);
    }
    connection.take(serve);
    return connection.ended;
  }
}

class Connection {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;
  private reads = true;

  constructor(private readonly socket: Socket) {}

  readonly ended = (): void => {
    this.underWay--;
    if (this.waiting.length > 0) this.schedule();
  };

  take(serve: () => void): void {
    if (this.waiting.length === 0 && this.underWay < MOST_AT_ONCE) {
      this.underWay++;
      serve();
      return;
    }
    this.waiting.push(serve);
    this.schedule();
    if (!this.reads) return;
    this.reads = false;
    // Node reads past streams, where a pause has no effect, until somebody listens to the data.
    if (this.socket.listenerCount('data') < 2) this.socket.on('data', ignore);
    this.socket.pause();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.serveWaiting();
    });
  }

  private serveWaiting(): void {
    if (this.socket.destroyed) {
      this.waiting.length = 0;
      return;
    }
    for (const serve of this.waiting.splice(0, MOST_AT_ONCE - this.underWay)) {
      this.underWay++;
      serve();
    }
    if (this.waiting.length > 0 || this.reads) return;
    this.reads = true;
    this.socket.resume();
  }
}

function ignore(): void {}

const RATES = ['requests', 'tokens'].flatMap((kind) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${kind}`),
);

/**
 * The response headers under /v1 that clients use; pages of other origins may read them. If a header is missing here,
 * `test/cors.e2e-spec.ts` or `entrance.spec.ts` fails.
 */
export const ANSWER_HEADERS: readonly string[] = [
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'www-authenticate',
  ...RATES,
  'age',
  'x-gateway-attempts',
  'x-gateway-cache',
  'x-gateway-guards',
  'x-gateway-content-log',
  'x-gateway-fallback-from',
  'x-gateway-idempotent-replay',
  'x-gateway-ignored-parameters',
  'x-gateway-output-ceiling',
];
