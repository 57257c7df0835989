import { integer, type JsonSchema, list, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { complete, schemaRef } from './document.types.js';

const finishReason = oneOf(
  ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'],
  'Why it ended: complete, token limit reached, tool calls, or content filter.',
);

const logprobs = orNull({ type: 'object', description: 'Log probabilities of the tokens, if requested.' });

const head = (kind: string): Record<string, JsonSchema> => ({
  id: text('`chatcmpl-…`, assigned by the gateway; the same in every chunk.'),
  object: oneOf([kind]),
  created: integer('Unix seconds.'),
  model: text('The model that answered: the requested one, or a fallback.'),
});

const choice = complete({
  index: integer('From 0.'),
  message: schemaRef('AnswerMessage'),
  finish_reason: finishReason,
  logprobs,
});

const toolCallDelta = object(
  {
    index: integer('The index of the call; the same in all of its pieces.'),
    id: text(),
    type: oneOf(['function']),
    function: object({ name: text(), arguments: text('The next piece of the JSON text.') }, []),
  },
  ['index'],
);

const delta = object(
  {
    role: oneOf(['assistant'], 'On the first chunk.'),
    content: orNull(text('The next piece of the answer.')),
    reasoning_content: text('The next piece of the model’s reasoning, if the provider shows it.'),
    refusal: orNull(text()),
    tool_calls: list(toolCallDelta),
  },
  [],
);

const chunkChoice = object({ index: integer('From 0.'), delta, finish_reason: orNull(finishReason), logprobs }, [
  'index',
  'delta',
  'finish_reason',
]);

/** The answers to a chat completion. */
export const chatAnswerSchemas: Record<string, JsonSchema> = {
  AnswerMessage: object(
    {
      role: oneOf(['assistant']),
      content: orNull(text()),
      refusal: orNull(text('Why the model gives no answer.')),
      reasoning_content: text('The model’s reasoning, if the provider shows it.'),
      tool_calls: list(schemaRef('ToolCall')),
    },
    ['role', 'content', 'refusal'],
  ),
  Usage: object(
    {
      prompt_tokens: integer('Tokens of the request, including cached ones.'),
      completion_tokens: integer('Tokens of the answer, including reasoning.'),
      total_tokens: integer('Both.'),
      prompt_tokens_details: object({ cached_tokens: integer('Read from the provider’s cache.') }, []),
      completion_tokens_details: object({ reasoning_tokens: integer('Tokens of reasoning.') }, []),
    },
    ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    'The tokens of a call: reported by the provider, otherwise estimated.',
  ),
  ChatCompletion: complete(
    { ...head('chat.completion'), choices: list(choice), usage: schemaRef('Usage') },
    'The answer to a request without `stream`.',
  ),
  ChatCompletionChunk: object(
    { ...head('chat.completion.chunk'), choices: list(chunkChoice), usage: orNull(schemaRef('Usage')) },
    ['id', 'object', 'created', 'model', 'choices'],
    'One event of a streamed answer.',
  ),
};
