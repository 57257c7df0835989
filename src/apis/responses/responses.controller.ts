import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { responsesFormat } from './responses.format.js';

/** `POST /v1/responses`, also under `/openai/v1`, and at `/openai/responses` for clients of Azure. */
@Controller(['v1/responses', 'openai/v1/responses', 'openai/responses'])
export class ResponsesController extends ApiController {
  readonly pattern = /^\/(?:(?:openai\/)?v1|openai)\/responses\/?$/i;

  constructor(calls: CallsService) {
    super(calls, responsesFormat);
  }
}
