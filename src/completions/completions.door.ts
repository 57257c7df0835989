import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import { callerOf } from '../auth/current-caller.js';
import { noteError, sendError } from '../common/exception.filter.js';
import { JsonBodyReader } from '../common/json-body.reader.js';
import { LimitsService } from '../limits/limits.service.js';
import { CompletionsService } from './completions.service.js';
import { toChatRequest } from './dto/chat-completion-request.js';
import { IdempotentRepliesService } from './idempotency/idempotent-replies.service.js';
import { OverloadService } from './overload/overload.service.js';

/** The way of a call from its request to its reply: who calls, the body, the answer. */
@Injectable()
export class CompletionsDoor {
  constructor(
    private readonly guard: BearerGuard,
    private readonly limits: LimitsService,
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly replies: IdempotentRepliesService,
  ) {}

  /** Resolves when the reply has ended, whichever way; rejects with what is still to be answered as an error. */
  async serve(request: Request, response: Response): Promise<void> {
    const admitted = this.guard.admit(request);
    if (admitted !== true) await admitted;
    const caller = callerOf(request);
    const refusal = this.limits.refusalOfCaller(caller) ?? this.overload.enter(request.context);
    if (refusal !== null) return sendError(response, noteError(request, refusal));
    // A body that came with its head is here a turn later, whole.
    await null;
    const body = await this.bodies.read(request);
    const completion = this.completions.create(caller, toChatRequest(body), request.context);
    await this.replies.send(response, completion, body);
  }
}
