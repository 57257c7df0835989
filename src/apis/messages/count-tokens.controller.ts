import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CallsService } from '../../completions/calls.service.js';
import { TokenCountsService } from '../../completions/counting/token-counts.service.js';
import { toAnthropicError } from '../../http/anthropic-error.js';
import type { CallController } from '../../http/entrance/entrance.js';
import { countedFormat } from './messages.format.js';

/** `POST /v1/messages/count_tokens`. */
@Controller('v1/messages/count_tokens')
export class CountTokensController implements CallController {
  readonly kind = 'call';
  readonly name = 'messages.count_tokens';
  readonly pattern = /^\/v1\/messages\/count_tokens\/?$/i;
  readonly toErrorReply = toAnthropicError;
  readonly requestIdHeader = 'request-id';

  constructor(
    private readonly calls: CallsService,
    private readonly counts: TokenCountsService,
  ) {}

  @Post()
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { tokens, headers } = await this.counts.count(request, countedFormat);
    const body = JSON.stringify({ input_tokens: tokens });
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }

  ended(request: Request): void {
    this.calls.ended(request);
  }
}
