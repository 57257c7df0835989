import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { textCompletionsFormat } from './text-completions.format.js';

/** `POST /v1/completions`, also under `/openai/v1`. */
@Controller(['v1/completions', 'openai/v1/completions'])
export class TextCompletionsController extends ApiController {
  readonly pattern = /^\/(?:openai\/)?v1\/completions\/?$/i;

  constructor(calls: CallsService) {
    super(calls, textCompletionsFormat);
  }
}
