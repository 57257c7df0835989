import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RefusalsService } from '../billing/refusals.service.js';

/** Counts the calls that ended with an error before they were accepted, whichever part refused them. */
@Injectable()
export class RefusedCallsMiddleware implements NestMiddleware {
  constructor(private readonly refusals: RefusalsService) {}

  use(request: Request, response: Response, next: NextFunction): void {
    response.once('close', () => this.record(request));
    next();
  }

  private record({ context }: Request): void {
    const { id, keyId = null, userId = null, model = null, error, accepted } = context;
    if (!error || accepted) return;
    const code = error.body.code ?? error.body.type;
    this.refusals.record({ requestId: id, keyId, userId, model, status: error.status, code });
  }
}
