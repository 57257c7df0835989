import { Controller } from '@nestjs/common';
import { ApiController } from './api.controller.js';
import { CallsService } from './calls.service.js';
import { chatFormat } from './formats/chat.format.js';

/** `POST /v1/chat/completions`, also under `/openai/v1`. */
@Controller(['v1/chat/completions', 'openai/v1/chat/completions'])
export class CompletionsController extends ApiController {
  readonly pattern = /^\/(?:openai\/)?v1\/chat\/completions\/?$/i;

  constructor(calls: CallsService) {
    super(calls, chatFormat);
  }
}
