import { either, flag, integer, list, number, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type DocumentPart, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors } from './error-responses.js';

const tokens = list(integer(undefined, 0));

const request = object(
  {
    model: text('A model id.'),
    prompt: either([text(), list(text()), tokens, list(tokens)], 'The text to continue, or several.'),
    suffix: text('The text after the gap to fill, if the model can fill gaps.'),
    max_tokens: integer('The maximum number of tokens in the answer; 16 by default.', 0),
    temperature: number(undefined, 0, 2),
    top_p: number(undefined, 0, 1),
    n: integer('The number of answers to each prompt.', 1, 128),
    best_of: integer(undefined, 0, 20),
    stop: either([text(), list(text())]),
    stream: flag('Stream the answer as server-sent events.'),
    logprobs: integer(undefined, 0, 5),
    echo: flag('Repeat the prompt before the answer.'),
    presence_penalty: number(undefined, -2, 2),
    frequency_penalty: number(undefined, -2, 2),
    seed: integer(),
    user: text(),
  },
  ['model', 'prompt'],
  'A text to continue.',
);

const choice = complete({
  text: text(),
  index: integer(),
  logprobs: orNull(object({}, [])),
  finish_reason: orNull(oneOf(['stop', 'length', 'content_filter'])),
});

const completion = object(
  {
    id: text(),
    object: oneOf(['text_completion']),
    created: integer('Unix seconds.'),
    model: text('The model as the request named it.'),
    choices: list(choice),
    usage: schemaRef('Usage'),
  },
  ['id', 'object', 'created', 'model', 'choices'],
  'The continued text; also each event of a stream.',
);

const examples = {
  gap: { summary: 'A gap', value: { model: 'codestral', prompt: 'def add(a, b):', suffix: 'return c' } },
};

const create: Operation = {
  operationId: 'createCompletion',
  tags: ['Chat completions'],
  summary: 'Continue a text, or fill a gap in it',
  description:
    'OpenAI’s older Completions, for editors. Only models whose provider has this API support it; others get a 400.',
  security: [{ key: [] }],
  requestBody: jsonBody('TextCompletionRequest', { examples }),
  responses: {
    200: answer(
      'The answer: one JSON object, or with `stream` server-sent events that end with `data: [DONE]`.',
      schemaRef('TextCompletion'),
      { schema: schemaRef('TextCompletion') },
    ),
    ...callErrors,
  },
};

/** `POST /v1/completions`. */
export const textCompletionsPart: DocumentPart = {
  paths: { '/v1/completions': { post: create } },
  schemas: { TextCompletionRequest: request, TextCompletion: completion },
};
