import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallController } from '../http/entrance/entrance.js';
import { type ErrorFormat, toOpenAiError } from '../http/error-format.js';
import { CallsService } from './calls.service.js';
import type { CallFormat } from './formats/call-format.js';
import { chatFormat } from './formats/chat.format.js';

/** The controller of an API with a `CallFormat`. Subclasses add Nest's `@Controller` with the same paths. */
export abstract class ApiController implements CallController {
  readonly kind = 'call';
  readonly toErrorReply: ErrorFormat = toOpenAiError;
  /** Matches the whole path. */
  abstract readonly pattern: RegExp;

  constructor(
    private readonly calls: CallsService,
    private readonly format: CallFormat,
  ) {}

  get name(): string {
    return this.format.api;
  }

  @Post()
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.serve(request, response, this.format);
  }

  ended(request: Request): void {
    this.calls.ended(request);
  }
}

/** `POST /v1/chat/completions`, also under `/openai/v1`. */
@Controller(['v1/chat/completions', 'openai/v1/chat/completions'])
export class CompletionsController extends ApiController {
  readonly pattern = /^\/(?:openai\/)?v1\/chat\/completions\/?$/i;

  constructor(calls: CallsService) {
    super(calls, chatFormat);
  }
}
