import { integer, type JsonSchema, list, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { schemaRef } from './document.types.js';

const finishReason = oneOf(
  ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'],
  'Why it ended: complete, token limit reached, tool calls, or content filter.',
);

const logprobs = orNull({ type: 'object', description: 'Log probabilities of the tokens, if asked for.' });

const head = (kind: string): Record<string, JsonSchema> => ({
  id: text('`chatcmpl-…`, given by the gateway; the same in every chunk.'),
  object: oneOf([kind]),
  created: integer('Unix seconds.'),
  model: text('The model that you asked for.'),
});

const choice = object(
  { index: integer('From 0.'), message: schemaRef('AnswerMessage'), finish_reason: finishReason, logprobs },
  ['index', 'message', 'finish_reason', 'logprobs'],
);

const toolCallDelta = object(
  {
    index: integer('Which of the calls; the same in every piece of one.'),
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
    reasoning_content: text('The next piece of the model’s thoughts, where the provider shows them.'),
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
      refusal: orNull(text('Instead of an answer: why the model gives none.')),
      reasoning_content: text('The model’s thoughts, where the provider shows them.'),
      tool_calls: list(schemaRef('ToolCall')),
    },
    ['role', 'content', 'refusal'],
  ),
  Usage: object(
    {
      prompt_tokens: integer('Of the request, cached ones included.'),
      completion_tokens: integer('Of the answer, reasoning included.'),
      total_tokens: integer('Both.'),
      prompt_tokens_details: object({ cached_tokens: integer('Found in the provider’s cache.') }, []),
      completion_tokens_details: object({ reasoning_tokens: integer('Spent on thinking.') }, []),
    },
    ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    'The tokens of a call: reported by the provider, else estimated.',
  ),
  ChatCompletion: object(
    { ...head('chat.completion'), choices: list(choice), usage: schemaRef('Usage') },
    ['id', 'object', 'created', 'model', 'choices', 'usage'],
    'The answer to a request without `stream`.',
  ),
  ChatCompletionChunk: object(
    { ...head('chat.completion.chunk'), choices: list(chunkChoice), usage: orNull(schemaRef('Usage')) },
    ['id', 'object', 'created', 'model', 'choices'],
    'One event of a streamed answer.',
  ),
};
