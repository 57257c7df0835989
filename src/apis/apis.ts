import { Controller, type Type } from '@nestjs/common';
import { CallsService } from '../completions/calls.service.js';
import { ApiController, CompletionsController } from '../completions/completions.controller.js';
import type { CallFormat } from '../completions/formats/call-format.js';
import { chatFormat, ofDeployment } from '../completions/formats/chat.format.js';
import type { CallController } from '../http/entrance/entrance.js';
import { toAnthropicError } from '../http/error-format.js';
import type { Route } from '../http/route.js';
import { embeddingsFormat } from './embeddings/embeddings.format.js';
import { CountTokensController, messagesFormat } from './messages/messages.format.js';
import { ResponseMemory } from './responses/memory/response-memory.service.js';
import { StoredResponsesController } from './responses/memory/stored-responses.controller.js';
import { ResponsesController } from './responses/responses.format.js';
import { textCompletionsFormat } from './text-completions/text-completions.format.js';

/**
 * All APIs that call a model. Add a new API here. Paths without `v1` are for clients of Azure. Requests of
 * `count_tokens` have no ledger row.
 */
export const APIS: readonly Type<CallController>[] = [
  CompletionsController,
  controllerOf(ofDeployment(chatFormat), ['openai/deployments/*model/chat/completions']),
  ResponsesController,
  controllerOf(messagesFormat, ['v1/messages'], { toErrorReply: toAnthropicError, requestIdHeader: 'request-id' }),
  CountTokensController,
  controllerOf(textCompletionsFormat, ['v1/completions', 'openai/v1/completions']),
  controllerOf(embeddingsFormat, ['v1/embeddings', 'openai/v1/embeddings']),
  controllerOf(ofDeployment(embeddingsFormat), ['openai/deployments/*model/embeddings']),
];

/** Paths of earlier answers; they call no model. */
export const STORED_ANSWERS: readonly Type[] = [StoredResponsesController];

/** Injected into the controllers above. */
export const API_SERVICES: readonly Type[] = [ResponseMemory];

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
