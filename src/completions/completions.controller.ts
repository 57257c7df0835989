import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { CurrentCaller } from '../auth/current-caller.js';
import { JsonBodyGuard } from '../common/json-body.guard.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { CompletionsService } from './completions.service.js';
import { ChatCompletionRequestPipe } from './dto/chat-completion-request.pipe.js';
import { IdempotentRepliesService } from './idempotency/idempotent-replies.service.js';

/** `POST /v1/chat/completions`, and the same under `/openai/v1`. */
@Controller(['v1/chat/completions', 'openai/v1/chat/completions'])
@UseGuards(BearerGuard, JsonBodyGuard)
export class CompletionsController {
  constructor(
    private readonly completions: CompletionsService,
    private readonly replies: IdempotentRepliesService,
  ) {}

  @Post()
  create(
    @CurrentCaller() caller: Caller,
    @Body(ChatCompletionRequestPipe) request: ChatCompletionRequest,
    @Req() { context, body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.replies.send(response, this.completions.create(caller, request, context), body);
  }
}
