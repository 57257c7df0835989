import { flag, integer, type JsonSchema, list, number, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type DocumentPart, idInPath, type Operation, schemaRef } from './document.types.js';
import { gatewayErrors } from './error-responses.js';

const { 400: _, 404: notFound, ...errors } = gatewayErrors;

const get: Operation = {
  operationId: 'getRequest',
  tags: ['Chat completions'],
  summary: 'The result of a call',
  description: 'For the owner of the key, with any of the owner’s keys. It never contains prompts or answers.',
  security: [{ key: [] }],
  parameters: [idInPath('The answer’s `x-request-id`, or the `id` of its answer.')],
  responses: {
    200: answer('The call.', schemaRef('CallExplanation')),
    404: notFound,
    ...errors,
  },
};

const attempt: Record<string, JsonSchema> = {
  upstream: text(),
  upstreamModel: text(),
  outcome: text('`ok`, `aborted`, `outrun` if another target answered first, or the error’s code.'),
  status: orNull(integer('The upstream’s status; 0 if there was no connection.')),
  startedAt: text('', { format: 'date-time' }),
  ms: integer('How long it took.'),
};

const waited: Record<string, JsonSchema> = {
  waitedMs: integer('How long the call waited before this attempt because every target was full.'),
};

const tokens: Record<string, JsonSchema> = {
  input: integer(''),
  cached: integer('Part of the input.'),
  output: integer(''),
  reasoning: integer('Part of the output.'),
  source: orNull(oneOf(['reported', 'estimated'])),
};

const call: Record<string, JsonSchema> = {
  id: text('The request’s id, as in `x-request-id`.'),
  completionId: text(),
  status: oneOf(['open', 'settled', 'failed', 'aborted', 'interrupted']),
  model: text('The requested model.'),
  servedModel: orNull(text('The model that answered and is charged.')),
  stream: flag(''),
  simulated: flag(''),
  startedAt: text('', { format: 'date-time' }),
  totalMs: orNull(integer('')),
  firstTokenMs: orNull(integer('')),
  finishReason: orNull(text()),
  errorCode: orNull(text()),
  tokens: complete(tokens),
  costUsd: number(''),
  costNanodollars: text('A whole number.'),
  attempts: list(object({ ...attempt, ...waited }, Object.keys(attempt))),
};

/** `GET /v1/requests/{id}`. */
export const requestsPart: DocumentPart = {
  paths: { '/v1/requests/{id}': { get } },
  schemas: { CallExplanation: complete(call) },
};
