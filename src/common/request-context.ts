import type { Request, Response } from 'express';
import type { GatewayError } from './gateway.error.js';
import { idGenerator } from './random-id.js';

/** `req_…` */
export const newRequestId = idGenerator('req_', 16);

/** What is known of a request, from its first byte on; it travels as `request.context`. */
export interface RequestContext {
  /** `req_…`, told to the client as `x-request-id`. */
  readonly id: string;
  /** `performance.now()` at the request's arrival. */
  readonly startedAt: number;
  /** Set by the bearer guard. */
  keyId?: string;
  userId?: string;
  /** The public id of a model of the catalog. */
  model?: string;
  /** The error that the request ended with. */
  error?: GatewayError;
  /** True once the call has its row in the ledger; a refused call never has one. */
  accepted?: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** First of all: gives the request its context and the response its `x-request-id`. */
export function openContext(request: Request, response: Response): void {
  request.context = { id: newRequestId(), startedAt: performance.now() };
  response.setHeader('x-request-id', request.context.id);
}
