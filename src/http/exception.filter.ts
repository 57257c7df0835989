import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  GatewayError,
  internalError,
  invalidRequest,
  isDatabaseUnavailable,
  methodNotSupported,
  notFound,
  serviceUnavailable,
  undecodableModel,
  unknownUrl,
} from '../common/gateway.error.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { logFailure } from '../telemetry/failure-log.js';
import { commonHeaders } from './request-context.js';

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
  context.error = context.pathOf ? known.inForm(context.pathOf) : known;
  return context.error;
}

export function sendError(response: Response, error: GatewayError): void {
  const { context, headers: requestHeaders } = response.req;
  const { headers, text, ...reply } = context.route.toErrorReply(error, context.id, requestHeaders);
  const retry = proxyRetry(response.req, error);
  response.writeHead(retry.status ?? reply.status, {
    ...retry.headers,
    ...commonHeaders(response.req),
    ...attemptsHeader(response.req),
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    ...(!retry.headers && { 'cache-control': 'private, no-store' }),
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/**
 * For the proxy in deploy/nginx, which says in `x-proxy-retry` how it recognizes a call that it may pass to another
 * gateway: one that this gateway refuses before anything was sent to an upstream.
 */
function proxyRetry({ context, headers }: Request, { status, body }: GatewayError): ProxyRetry {
  const how = headers['x-proxy-retry'];
  if (status !== 503 || how === undefined || context.route.kind !== 'call') return {};
  const isSent = (context.call?.attempts.length ?? 0) > 0;
  // nginx passes every 503 on.
  if (how === 'status') return isSent ? { status: 502 } : {};
  const isRefused = !isSent && body.code === 'service_unavailable';
  return how === 'redirect' && isRefused ? { headers: { 'x-accel-redirect': '@another_gateway' } } : {};
}

interface ProxyRetry {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
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
  return methods.length > 0 && !isUnservedOperation(request.path)
    ? methodNotSupported(methods)
    : unknownUrl(unservedUrlHint(request.path));
}

/** The path cannot be percent-decoded. */
function isUriError(exception: unknown): boolean {
  return (
    exception instanceof URIError ||
    (exception instanceof Error && exception.message.startsWith('Failed to decode param'))
  );
}

interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

function allowedMethods(request: Request): string[] {
  const layers = request.app.router.stack as unknown as RouteLayer[];
  const methods = new Set<string>();
  for (const layer of layers) {
    if (!layer.route || layer.route.methods._all || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

const SERVED =
  'This gateway serves POST /v1/chat/completions, /v1/responses, /v1/messages and /v1/embeddings, and GET /v1/models.';
const BASE_URL = "Set your client's base URL to this gateway's address followed by /v1.";
const CHAT_INSTEAD = "Set your client to OpenAI's Chat Completions API (often called an OpenAI-compatible provider).";

/** Known URLs that are not served, by their path after `/v1/`. */
const UNSERVED: readonly (readonly [RegExp, string])[] = [
  [
    /^responses\/(?:compact|input_tokens)\/?$/,
    'Of the Responses API, only POST /v1/responses is served. Turn this feature off in your client.',
  ],
  [
    /^responses(\/|$)/,
    "No response can be cancelled. Unless its operator turns that on, the gateway stores no responses: send the whole conversation in 'input'.",
  ],
  [
    /^chat\/completions\/./,
    'Stored completions are not served, as the gateway stores none. Keep the answers in your client.',
  ],
  [/^messages\/batches(\/|$)/, 'Batches are not served. Send each request to POST /v1/messages.'],
  [/^batches(\/|$)/, 'Batches are not served. Send each request on its own.'],
  [/^(files|uploads)(\/|$)/, 'Files are not served. Send their content in the request, as text or as base64.'],
  [
    /^(vector_stores|containers|skills|fine_tuning|evals)(\/|$)/,
    'Vector stores, containers, skills, fine-tuning and evals are not served. Turn this feature off in your client.',
  ],
  [/^rerank(\/|$)/, 'Reranking is not served, only chat and embeddings. Name another provider for it in your client.'],
  [
    /^(images|audio|videos|moderations|realtime)(\/|$)/,
    'Only chat and embeddings are served. Turn this feature off in your client.',
  ],
  [
    /^(assistants|threads|conversations)(\/|$)/,
    `Assistants, threads and conversations are not served. ${CHAT_INSTEAD}`,
  ],
  [/^v1(\/|$)/, "The path contains /v1 twice. End your client's base URL before or after /v1, as the client expects."],
];

const BELOW_RESPONSES = /^\/(?:openai\/)?v1\/responses\/./i;

/** Paths without `/v1`, or in Azure's form. */
const WITHOUT_BASE = /^\/(?:openai\/)?(?:chat\/completions|models|responses|messages|embeddings|completions)(?:\/|$)/i;
const AZURE = /^\/openai\/deployments\//i;
const GEMINI = /^\/v1(?:beta\d*|alpha\d*)(?:\/|$)/i;

/** Whether a wrong method means an operation that is not served, such as `POST /v1/responses/compact`. */
function isUnservedOperation(path: string): boolean {
  return BELOW_RESPONSES.test(path);
}

/** Tells clients of unknown paths what is served and what to change. */
export function unservedUrlHint(path: string): string {
  const rest = /^\/(?:openai\/)?v1\/(.*)$/i.exec(path)?.[1]?.toLowerCase();
  const known = rest === undefined ? undefined : UNSERVED.find(([pattern]) => pattern.test(rest));
  if (known) return `${known[1]} ${SERVED}`;
  if (GEMINI.test(path)) return `Gemini's own API is not served. ${CHAT_INSTEAD} ${SERVED}`;
  if (AZURE.test(path)) return `Only Azure's URLs for chat and embeddings are served. ${SERVED}`;
  return WITHOUT_BASE.test(path) ? `The API begins at /v1. ${BASE_URL} ${SERVED}` : `The API begins at /v1. ${SERVED}`;
}
