import { Controller } from '@nestjs/common';
import { ApiController } from '../../completions/api.controller.js';
import { CallsService } from '../../completions/calls.service.js';
import { chatFormat } from '../../completions/formats/chat.format.js';
import { ofDeployment } from '../../completions/formats/deployment.format.js';

/** `POST /openai/deployments/{model}/chat/completions`, for clients of Azure. */
@Controller('openai/deployments/*model/chat/completions')
export class AzureChatController extends ApiController {
  readonly pattern = /^\/openai\/deployments\/.+\/chat\/completions\/?$/i;

  constructor(calls: CallsService) {
    super(calls, ofDeployment(chatFormat));
  }
}
