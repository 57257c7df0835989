import { Controller, type Type } from '@nestjs/common';
import { ApiController } from '../completions/api.controller.js';
import { CallsService } from '../completions/calls.service.js';
import { CompletionsController } from '../completions/completions.controller.js';
import type { CallFormat } from '../completions/formats/call-format.js';
import { chatFormat } from '../completions/formats/chat.format.js';
import { ofDeployment } from '../completions/formats/deployment.format.js';
import { toAnthropicError } from '../http/anthropic-error.js';
import type { CallController } from '../http/entrance/entrance.js';
import type { Route } from '../http/route.js';
import { embeddingsFormat } from './embeddings/embeddings.format.js';
import { CountTokensController } from './messages/count-tokens.controller.js';
import { messagesFormat } from './messages/messages.format.js';
import { responsesFormat } from './responses/responses.format.js';
import { textCompletionsFormat } from './text-completions/text-completions.format.js';

/**
 * All APIs that call a model. Add a new API here. Paths without `v1` are for clients of Azure. Requests of
 * `count_tokens` have no ledger row.
 */
export const APIS: readonly Type<CallController>[] = [
  CompletionsController,
  controllerOf(ofDeployment(chatFormat), ['openai/deployments/*model/chat/completions']),
  controllerOf(responsesFormat, ['v1/responses', 'openai/v1/responses', 'openai/responses']),
  controllerOf(messagesFormat, ['v1/messages'], { toErrorReply: toAnthropicError, requestIdHeader: 'request-id' }),
  CountTokensController,
  controllerOf(textCompletionsFormat, ['v1/completions', 'openai/v1/completions']),
  controllerOf(embeddingsFormat, ['v1/embeddings', 'openai/v1/embeddings']),
  controllerOf(ofDeployment(embeddingsFormat), ['openai/deployments/*model/embeddings']),
];

/** The controller of `POST` requests at these paths. */
function controllerOf(format: CallFormat, paths: string[], own?: Partial<Route>): Type<CallController> {
  const pattern = new RegExp(`^/(?:${paths.join('|').replace('*model', '.+')})/?$`, 'i');

  @Controller(paths)
  class FormatController extends ApiController {
    readonly pattern = pattern;

    constructor(calls: CallsService) {
      super(calls, format);
      Object.assign(this, own);
    }
  }
  return FormatController;
}
