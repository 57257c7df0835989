import type { DocumentPart, Operation } from './document.types.js';
import { errorResponse } from './error.schemas.js';

const status = { type: 'string', enum: ['ok'] } as const;

function ok(properties: Record<string, object>): Operation['responses'] {
  return { 200: { description: 'Yes.', content: { 'application/json': { schema: { type: 'object', properties } } } } };
}

const warning = {
  type: 'string',
  description: 'Only while the calls of some users cannot be opened in time.',
} as const;

const live: Operation = {
  operationId: 'isLive',
  tags: ['Health'],
  summary: 'Whether the process runs',
  security: [],
  responses: ok({ status }),
};

const ready: Operation = {
  operationId: 'isReady',
  tags: ['Health'],
  summary: 'Whether it can serve',
  description: 'Not while the database is away, and not once a shutdown has begun.',
  security: [],
  responses: { ...ok({ status, warning }), 503: errorResponse('`service_unavailable`: currently not.') },
};

/** The probes. */
export const healthPart: DocumentPart = {
  paths: { '/health/live': { get: live }, '/health/ready': { get: ready } },
  schemas: {},
};
