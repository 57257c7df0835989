import type { Request } from 'express';
import type { GatewayError } from '../common/gateway.error.js';
import { idGenerator } from '../common/random-id.js';
import type { HeldBody } from './body/body-budget.js';
import type { Route } from './route.js';

/** `req_…` */
export const newRequestId = idGenerator('req_');

/** W3C's `traceparent`, of version 00. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const LONGEST_CLIENT_ID = 128;

/** What a completion call tells of itself for the log. */
export interface CallProgress {
  /** It has its row in the ledger; a refused call never has one. */
  readonly isAccepted: boolean;
  /** ms from its admission to the first piece of its answer. */
  readonly firstTokenMs: number | null;
  /** How its row was closed; null while it is open. */
  readonly outcome: 'settled' | 'failed' | 'aborted' | null;
  /** Those begun so far. */
  readonly attempts: readonly { readonly upstream: string }[];
  /** What its row was closed with. */
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  } | null;
}

/** Who sent a request: the caller of an API, or a user of the console. */
export interface Identity {
  readonly keyId?: string;
  readonly keyDisplay?: string;
  readonly userId?: string;
}

const NOBODY: Identity = {};

export interface Asked {
  /** The id of a model in the catalog. */
  model: string | null;
}

/**
 * What is known about a request, as `request.context`. Each stage adds what it learned, and each field is written by one
 * stage only: the entrance makes the context, a guard identifies the caller, the body reader adds the body, the API's
 * controller and service add the place and the call, the error replies add the error.
 */
export class RequestContext {
  /** `req_…`, told to the client as `x-request-id`. */
  readonly id = newRequestId();
  /** `performance.now()` at the request's arrival. */
  readonly startedAt = performance.now();
  private identity: Identity = NOBODY;
  /** Whether it holds one of the places for concurrent calls. */
  hasPlace = false;
  /** Its body, while it is in memory. */
  body: HeldBody | null = null;
  /** An object of its own, so that what is written later does not keep the request, which may hold megabytes. */
  readonly asked: Asked = { model: null };
  call: CallProgress | null = null;
  /** The error that was sent to the client. */
  error: GatewayError | null = null;

  constructor(
    readonly route: Route = 'other',
    /** The client's own `x-request-id`. */
    readonly clientRequestId?: string,
    readonly traceparent?: string,
    /** The session that the client names in a header. */
    readonly sessionId?: string,
  ) {}

  identify(identity: Identity): void {
    this.identity = identity;
  }

  get keyId(): string | null {
    return this.identity.keyId ?? null;
  }

  /** The display form of the key's secret. */
  get keyDisplay(): string | null {
    return this.identity.keyDisplay ?? null;
  }

  get userId(): string | null {
    return this.identity.userId ?? null;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** Gives the request its context, before anything else happens to it. */
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

/** The headers by which agents name their session, the first that is there. */
function sessionIdIn(headers: Request['headers']): string | undefined {
  const session = headers['session-id'] || headers['x-session-id'] || headers['x-claude-code-session-id'];
  return session ? String(session) : undefined;
}

/** The headers of every response, which tell no more than that it is one of the gateway's. */
export function commonHeaders({ context }: Request): Readonly<Record<string, string>> {
  return { 'x-request-id': context.id, 'x-content-type-options': 'nosniff' };
}

/** Printable ASCII, so that it cannot forge a line of the log, and never an API key. */
function toClientId(header: string | string[]): string {
  return String(header)
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/svc_\w+/g, 'svc_…')
    .slice(0, LONGEST_CLIENT_ID);
}
