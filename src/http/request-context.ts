import type { Request, Response } from 'express';
import type { GatewayError } from '../common/gateway.error.js';
import { idGenerator } from '../common/ids.js';
import { sanitized } from '../common/text.js';
import type { EndedCall } from '../telemetry/call-metrics.service.js';
import type { BufferedBody } from './body/request-body.js';
import { otherRoute, type Route } from './route.js';

/** `req_…` */
export const newRequestId = idGenerator('req_');

/** W3C's `traceparent`, of version 00. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const MAX_CLIENT_ID_LENGTH = 128;
const MAX_USER_AGENT_LENGTH = 200;

export interface CallProgress {
  /** ms from admission to the first piece of the answer. */
  readonly firstTokenMs: number | null;
  readonly outcome: 'settled' | 'failed' | 'aborted' | null;
  readonly attempts: readonly { readonly upstream: string }[];
  readonly tokens: EndedCall['tokens'] | null;
}

export interface RequestedModel {
  model: string | null;
}

interface Identity {
  readonly keyId?: string;
  readonly keyDisplay?: string;
  readonly userId?: string;
  readonly project?: { readonly id: string } | null;
}

/**
 * The state of a request, as `request.context`. Each field is written by one stage only: the entrance creates the
 * context, a guard identifies the caller, the body reader adds the body, the controller and service of the API add the
 * slot and the call, and the error handling adds the error.
 */
export class RequestContext {
  /** `req_…`, sent to the client as `x-request-id`. */
  readonly id = newRequestId();
  /** `performance.now()` at the request's arrival. */
  readonly startedAt = performance.now();
  clientAddress: string | null = null;
  /** The client's `User-Agent`, shortened and without API keys. */
  userAgent: string | null = null;
  keyId: string | null = null;
  keyDisplay: string | null = null;
  userId: string | null = null;
  /** The project of the key, or else its user: callers share what is divided between owners. */
  ownerId: string | null = null;
  /** Whether the request uses a slot for concurrent calls. */
  hasSlot = false;
  body: BufferedBody | null = null;
  /** A separate object, so that references to it do not keep the request in memory, which may have megabytes. */
  readonly requested: RequestedModel = { model: null };
  /** Set once the call's row is open. From then on the call counts as accepted, however it ends. */
  call: CallProgress | null = null;
  error: GatewayError | null = null;
  /** Maps the path of a field in an error to the client's path. */
  pathOf: ((path: string) => string) | undefined;

  constructor(
    readonly route: Route = otherRoute,
    /** The client's own `x-request-id`. */
    readonly clientRequestId?: string,
    readonly traceparent?: string,
    /** From a request header. */
    readonly sessionId?: string,
  ) {}

  /** `userAgent`: the request's header. */
  noteClient(address: string | undefined, userAgent: string | undefined): void {
    this.clientAddress = address ?? null;
    this.userAgent = sanitized(userAgent ?? null, MAX_USER_AGENT_LENGTH);
  }

  identify({ keyId, keyDisplay, userId, project }: Identity): void {
    this.keyId = keyId ?? null;
    this.ownerId = project?.id ?? userId ?? null;
    this.keyDisplay = keyDisplay ?? null;
    this.userId = userId ?? null;
  }
}

/** Aborted when the client disconnects before its whole reply was sent. */
export function clientLeft(response: Response): AbortSignal {
  const left = new AbortController();
  const note = () => left.abort('the client has left');
  if (response.closed) note();
  else
    response.on('close', () => {
      if (!response.writableFinished) note();
    });
  return left.signal;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

export function openContext(request: Request, route: Route): Request {
  const { 'x-request-id': clientRequestId, traceparent } = request.headers;
  request.context = new RequestContext(
    route,
    clientRequestId ? toClientId(clientRequestId) : undefined,
    traceparent !== undefined && TRACEPARENT.test(String(traceparent)) ? String(traceparent) : undefined,
    sessionIdIn(request.headers),
  );
  return request;
}

/** Headers in which agents send the name of their session; the first one counts. */
function sessionIdIn(headers: Request['headers']): string | undefined {
  const session = headers['session-id'] || headers['x-session-id'] || headers['x-claude-code-session-id'];
  return session ? String(session) : undefined;
}

export function commonHeaders({ context }: Request): Readonly<Record<string, string>> {
  const { id, route } = context;
  const headers = { 'x-request-id': id, 'x-content-type-options': 'nosniff' };
  return route.requestIdHeader === undefined ? headers : { ...headers, [route.requestIdHeader]: id };
}

/** Printable ASCII only, so that the id cannot forge log lines, and without API keys. */
function toClientId(header: string | string[]): string {
  return String(header)
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/(svc|gat)_\w+/g, '$1_…')
    .slice(0, MAX_CLIENT_ID_LENGTH);
}
