import type { Request, Response } from 'express';
import type { HeldBody } from './body-budget.js';
import type { GatewayError } from './gateway.error.js';
import { idGenerator } from './random-id.js';

/** `req_…` */
export const newRequestId = idGenerator('req_', 16);

/** W3C's `traceparent`, of version 00. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const LONGEST_CLIENT_ID = 128;

/** What is known of a request, from its first byte on; it travels as `request.context`. */
export interface RequestContext {
  /** `req_…`, told to the client as `x-request-id`. */
  readonly id: string;
  /** `performance.now()` at the request's arrival. */
  readonly startedAt: number;
  /** What the caller calls the request, in its own `x-request-id`. */
  readonly clientRequestId?: string | undefined;
  /** Of the caller's trace. */
  readonly traceparent?: string | undefined;
  /** Set by the bearer guard. */
  keyId?: string;
  userId?: string;
  /** The public id of a model of the catalog. */
  model?: string;
  /** Its body, while it is in memory. */
  body?: HeldBody;
  /** The error that the request ended with. */
  error?: GatewayError;
  /** True once the call has its row in the ledger; a refused call never has one. */
  accepted?: boolean;
  /** ms from the call's admission to the first piece of its answer. */
  firstTokenMs?: number;
  /** What the call's row was closed with. */
  tokens?: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number };
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** First of all: gives the request its context and the response its `x-request-id`. */
export function openContext(request: Request, response: Response): void {
  const { 'x-request-id': clientRequestId, traceparent } = request.headers;
  request.context = {
    id: newRequestId(),
    startedAt: performance.now(),
    clientRequestId: clientRequestId && toClientId(clientRequestId),
    traceparent: traceparent !== undefined && TRACEPARENT.test(String(traceparent)) ? String(traceparent) : undefined,
  };
  response.setHeader('x-request-id', request.context.id);
}

/** Printable ASCII, so that it cannot forge a line of the log, and never an API key. */
function toClientId(header: string | string[]): string {
  return String(header)
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/svc_\w+/g, 'svc_…')
    .slice(0, LONGEST_CLIENT_ID);
}
