import type { Request } from 'express';
import type { HeldBody } from './body-budget.js';
import type { GatewayError } from './gateway.error.js';
import { idGenerator } from './random-id.js';

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

export interface Asked {
  /** The public id of a model of the catalog: set with `call` by the service that serves completions. */
  model: string | null;
}

/** What is known of a request, from its first byte on; it travels as `request.context`. Each field has one writer. */
export class RequestContext {
  /** `req_…`, told to the client as `x-request-id`. */
  readonly id = newRequestId();
  /** `performance.now()` at the request's arrival. */
  readonly startedAt = performance.now();
  /** Who asks: set by the guard that found out. */
  keyId: string | null = null;
  /** The display form of the secret that it came with. */
  keyDisplay: string | null = null;
  userId: string | null = null;
  /** It has a place among the calls under way: set by the guard that gives them out. */
  hasPlace = false;
  /** Its body, while it is in memory: set by the guard that reads it. */
  body: HeldBody | null = null;
  /** What it asks for. Who tells it later keeps this, and not all of the request, which may hold megabytes. */
  readonly asked: Asked = { model: null };
  call: CallProgress | null = null;
  /** The error that the request ended with: set where errors are told. */
  error: GatewayError | null = null;

  constructor(
    /** What the caller calls the request, in its own `x-request-id`. */
    readonly clientRequestId?: string,
    /** Of the caller's trace. */
    readonly traceparent?: string,
    /** The session that it belongs to, by the caller's word. */
    readonly sessionId?: string,
  ) {}
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** First of all: gives the request its context. */
export function openContext(request: Request): void {
  const { 'x-request-id': clientRequestId, traceparent } = request.headers;
  request.context = new RequestContext(
    clientRequestId ? toClientId(clientRequestId) : undefined,
    traceparent !== undefined && TRACEPARENT.test(String(traceparent)) ? String(traceparent) : undefined,
    sessionIdIn(request.headers),
  );
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
