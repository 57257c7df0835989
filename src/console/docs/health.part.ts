import type { DocumentPart, Operation } from './document.types.js';
import { errorResponse } from './error-responses.js';

const status = { type: 'string', enum: ['ok'] } as const;

function ok(properties: Record<string, object>): Operation['responses'] {
  return {
    200: { description: 'It does.', content: { 'application/json': { schema: { type: 'object', properties } } } },
  };
}

const warning = {
  type: 'string',
  description: 'Present only while the calls of some users cannot be admitted in time.',
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
  description: 'Not while the database is unavailable, and not during a shutdown.',
  security: [],
  responses: { ...ok({ status, warning }), 503: errorResponse('`service_unavailable`: it cannot serve now.') },
};

/** The health probes. */
export const healthPart: DocumentPart = {
  paths: { '/health/live': { get: live }, '/health/ready': { get: ready } },
  schemas: {},
};
