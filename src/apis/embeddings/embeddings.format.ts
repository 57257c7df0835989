import { type GatewayError, gatewayError } from '../../common/gateway.error.js';
import type { CallFormat, Reply } from '../../completions/formats/call-format.js';
import { chatReply } from '../../completions/formats/chat.format.js';
import { paidFields } from '../../limits/paid-options.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';
import { withNativeForm } from '../../upstreams/tokens/native-walk.js';
import { inputText } from '../shared/tool-arguments.js';
import { checkAgainst, EMBEDDINGS_FIELDS, type EmbeddingsRequest, toEmbeddingsRequest } from './embeddings.request.js';

/** OpenAI's Embeddings API. For limits and prices, the inputs become the text of a chat message without an answer. */
export const embeddingsFormat: CallFormat = {
  api: 'embeddings',

  read(body) {
    const embeddings = toEmbeddingsRequest(body);
    const request = innerRequest(embeddings);
    return {
      request,
      charged: chargedRequest(request, embeddings.body),
      native: { body: embeddings.body, untranslated: [], untranslatable: notServed(embeddings.model) },
      check: (model, tokens) => checkAgainst(model, embeddings.body, isList(embeddings.body), tokens),
      reply: () => embeddingsReply,
    };
  },
};

/** Stateless, so all calls share it. Embeddings are never streamed. */
const embeddingsReply: Reply = {
  ...chatReply,
  whole({ nativeText, model, usage }) {
    const { prompt_tokens = 0, total_tokens = 0 } = usage ?? {};
    const rest = JSON.stringify({ model, usage: { prompt_tokens, total_tokens } });
    return `{"object":"list","data":[${nativeText}],${rest.slice(1)}`;
  },
};

function innerRequest({ model, body: { inputs } }: EmbeddingsRequest): ChatCompletionRequest {
  const content = inputs.map((input) => ({ type: 'text' as const, text: inputText(input) }));
  return { model, messages: [{ role: 'user', content }] };
}

/** With the fields that only servers of some makes read. */
function chargedRequest(request: ChatCompletionRequest, { fields: sent }: EmbeddingBody): ChatCompletionRequest {
  const others = Object.entries(sent).filter(([name]) => !EMBEDDINGS_FIELDS.has(name));
  if (others.length === 0) return request;
  const fields = { ...Object.fromEntries(others), input: { messages: request.messages } };
  return withNativeForm({ ...paidFields(sent), ...request }, { api: 'embeddings', fields });
}

function isList({ fields: { input }, inputs }: EmbeddingBody): boolean {
  return Array.isArray(input) && inputs[0] === input[0];
}

/** For a model whose upstreams have no embeddings although models.yaml says so. */
function notServed(model: string): GatewayError {
  const message = `The upstream of the model '${model}' has no embeddings. Choose another model.`;
  return gatewayError(400, 'model_not_supported', message, { param: 'model' });
}
