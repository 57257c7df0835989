import type { Type } from '@nestjs/common';
import { CompletionsController } from '../completions/completions.controller.js';
import type { CallController } from '../http/entrance/entrance.js';
import { AzureChatController } from './azure/azure-chat.controller.js';
import { AzureEmbeddingsController } from './embeddings/azure-embeddings.controller.js';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { CountTokensController } from './messages/count-tokens.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { ResponsesController } from './responses/responses.controller.js';
import { TextCompletionsController } from './text-completions/text-completions.controller.js';

/** All APIs that call a model. Add a new API here. Requests of `count_tokens` have no ledger row. */
export const APIS: readonly Type<CallController>[] = [
  CompletionsController,
  AzureChatController,
  ResponsesController,
  MessagesController,
  CountTokensController,
  TextCompletionsController,
  EmbeddingsController,
  AzureEmbeddingsController,
];
