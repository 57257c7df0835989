import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { toAnthropicError } from '../../http/anthropic-error.js';
import { messagesFormat } from './messages.format.js';

/** `POST /v1/messages`. */
@Controller('v1/messages')
export class MessagesController extends ApiController {
  override readonly toErrorReply = toAnthropicError;
  readonly requestIdHeader = 'request-id';
  readonly pattern = /^\/v1\/messages\/?$/i;

  constructor(calls: CallsService) {
    super(calls, messagesFormat);
  }
}
