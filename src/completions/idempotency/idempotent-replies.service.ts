import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LimitsService } from '../../limits/limits.service.js';
import type { Completion } from '../replies/completion.types.js';
import { RepliesService } from '../replies/replies.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { idempotencyKeyOf } from './idempotency-key.js';

/** Repeats the stored answer of a request with an `Idempotency-Key`; passes all others to `RepliesService`. */
@Injectable()
export class IdempotentRepliesService {
  constructor(
    private readonly replies: RepliesService,
    private readonly idempotency: IdempotencyService,
    private readonly limits: LimitsService,
  ) {}

  send(response: Response, completion: Completion, body: unknown): Promise<void> {
    const key = idempotencyKeyOf(response.req.headers['idempotency-key']);
    if (key === undefined || !this.idempotency.isOn) return this.replies.send(response, completion);
    return this.sendOnce(response, completion, key, body);
  }

  private async sendOnce(response: Response, completion: Completion, key: string, body: unknown): Promise<void> {
    const { call } = completion;
    const before = await this.idempotency.begin(call, key, body);
    if (Buffer.isBuffer(before)) {
      const headers = await this.limits.takeRequest(call.caller);
      return this.replies.sendAgain(response, completion, before, headers);
    }
    try {
      await this.replies.send(response, completion, before);
    } finally {
      await before.release();
    }
  }
}
