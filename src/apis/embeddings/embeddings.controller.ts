import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { embeddingsFormat } from './embeddings.format.js';

/** `POST /v1/embeddings`, also under `/openai/v1`. */
@Controller(['v1/embeddings', 'openai/v1/embeddings'])
export class EmbeddingsController extends ApiController {
  readonly pattern = /^\/(?:openai\/)?v1\/embeddings\/?$/i;

  constructor(calls: CallsService) {
    super(calls, embeddingsFormat);
  }
}
