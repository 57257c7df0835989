import { Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { CurrentCaller } from '../auth/current-caller.js';
import { JsonBodyReader } from '../common/json-body.reader.js';
import { CompletionsService } from './completions.service.js';
import { toChatRequest } from './dto/chat-completion-request.js';
import { IdempotentRepliesService } from './idempotency/idempotent-replies.service.js';
import { OverloadService } from './overload/overload.service.js';

/** `POST /v1/chat/completions`, and the same under `/openai/v1`. */
@Controller(['v1/chat/completions', 'openai/v1/chat/completions'])
@UseGuards(BearerGuard)
export class CompletionsController {
  constructor(
    private readonly overload: OverloadService,
    private readonly bodies: JsonBodyReader,
    private readonly completions: CompletionsService,
    private readonly replies: IdempotentRepliesService,
  ) {}

  @Post()
  async create(@CurrentCaller() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    this.overload.enter(request.context);
    const body = await this.bodies.read(request);
    await this.replies.send(response, this.completions.create(caller, toChatRequest(body), request.context), body);
  }
}
