import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { ofDeployment } from '../../completions/formats/deployment.format.js';
import { embeddingsFormat } from './embeddings.format.js';

/** `POST /openai/deployments/{model}/embeddings`, for clients of Azure. */
@Controller('openai/deployments/*model/embeddings')
export class AzureEmbeddingsController extends ApiController {
  readonly pattern = /^\/openai\/deployments\/.+\/embeddings\/?$/i;

  constructor(calls: CallsService) {
    super(calls, ofDeployment(embeddingsFormat));
  }
}
