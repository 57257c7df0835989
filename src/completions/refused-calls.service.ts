import { Injectable } from '@nestjs/common';
import { RefusalsService } from '../billing/refusals.service.js';
import type { RequestContext } from '../common/request-context.js';

const PATH = /\/v1\/chat\/completions\/?$/i;

/** Counts the calls that ended with an error before they were accepted, whichever part refused them. */
@Injectable()
export class RefusedCallsService {
  constructor(private readonly refusals: RefusalsService) {}

  /** To be told of every request that has ended. */
  note({ id, keyId, userId, model, error, accepted }: RequestContext, path: string): void {
    if (!error || accepted || !PATH.test(path)) return;
    const who = { keyId: keyId ?? null, userId: userId ?? null, model: model ?? null };
    this.refusals.record({ requestId: id, ...who, status: error.status, code: error.body.code ?? error.body.type });
  }
}
