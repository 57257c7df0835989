import { integer, list, number, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type DocumentPart, type Operation, schemaRef } from './document.types.js';
import { gatewayErrors } from './error-responses.js';

const { 400: _badRequest, 404: _notFound, ...errors } = gatewayErrors;

const get: Operation = {
  operationId: 'getKey',
  tags: ['Models of a key'],
  summary: 'The key itself: its owner’s project and plan, and what is left of its limits',
  description: 'It counts as no request of a limit.',
  security: [{ key: [] }],
  responses: { 200: answer('The key.', schemaRef('KeyStanding')), ...errors },
};

const time = (description: string) => orNull(text(description, { format: 'date-time' }));

const rate = orNull(
  complete({
    limit: integer(''),
    remaining: integer(''),
    reset_ms: integer('Time until all of it is available again.'),
  }),
);

const budget = complete({
  period: text('`day`, `month` or `total`, in UTC.'),
  amount_usd: number(),
  spent_usd: number(),
  reserved_usd: number('The most that running calls can still cost.'),
  remaining_usd: number(),
  resets_at: time(''),
});

const limit = complete({
  scope: text('Whose limit it is: `key`, `user`, `project`, or `plan` for the plan’s limit of the owner.'),
  requests_per_minute: rate,
  tokens_per_minute: rate,
  concurrent_calls: orNull(complete({ limit: integer(''), used: integer('') })),
  budgets: list(budget),
});

/** `GET /v1/key`. */
export const keyPart: DocumentPart = {
  paths: { '/v1/key': { get } },
  schemas: {
    KeyStanding: complete({
      object: text('`key`'),
      id: text(),
      name: text(),
      display: text('The part of the key that stays visible.'),
      expires_at: time('Null: never.'),
      project: orNull(text('The name of the project that it belongs to.')),
      plan: text('The plan’s id.'),
      models: orNull(list(text())),
      limits: list(limit),
    }),
  },
};
