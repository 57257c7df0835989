import { integer, type JsonSchema, list, number, object, oneOf, text } from '../../common/json-schema.js';
import { answer, complete, type DocumentPart, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors, errorResponse } from './error-responses.js';

const tokens = list(integer(undefined, 0));

const input: JsonSchema = {
  description: 'One input or up to 2,048: a text, a list of texts, a list of token ids, or a list of such lists.',
  anyOf: [text(), list(text()), tokens, list(tokens)],
};

const request = object(
  {
    model: text('The id of a model of the kind `embedding`.'),
    input,
    dimensions: integer('The number of dimensions, at most that of the model.', 1),
    encoding_format: oneOf(['float', 'base64'], 'Numbers, or base64 of little-endian 32-bit floats.'),
    user: text('Your identifier for the end user.'),
  },
  ['model', 'input'],
  'A request for embeddings.',
);

const embedding = complete({
  object: oneOf(['embedding']),
  index: integer('The position of the input, from 0.'),
  embedding: { description: 'A list of numbers, or base64.', anyOf: [list(number()), text()] },
});

const embeddings = complete(
  {
    object: oneOf(['list']),
    data: list(embedding, 'In the order of the inputs.'),
    model: text('The model as the request named it.'),
    usage: complete({ prompt_tokens: integer(), total_tokens: integer() }),
  },
  'The embeddings.',
);

const examples = {
  texts: { summary: 'Two texts', value: { model: 'text-embedding-3-small', input: ['Hello!', 'Goodbye.'] } },
};

const create: Operation = {
  operationId: 'createEmbeddings',
  tags: ['Embeddings'],
  summary: 'Turn texts into vectors',
  description: 'OpenAI’s embeddings, for models whose `kind` is `embedding`. Long lists are sent upstream in batches.',
  security: [{ key: [] }],
  requestBody: jsonBody('EmbeddingsRequest', { examples }),
  responses: {
    200: answer('The vectors and the number of tokens used.', schemaRef('EmbeddingsAnswer')),
    ...callErrors,
    400: errorResponse(
      'The request is not valid (`invalid_value`, …), an input is too long (`context_length_exceeded`), or the model makes no embeddings (`model_not_supported`).',
    ),
  },
};

/** `POST /v1/embeddings`. */
export const embeddingsPart: DocumentPart = {
  paths: { '/v1/embeddings': { post: create } },
  schemas: { EmbeddingsRequest: request, EmbeddingsAnswer: embeddings },
};
