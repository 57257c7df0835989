import type { DocumentPart, Operation } from './document.types.js';
import { errorResponse } from './error.schemas.js';

const ok: Operation['responses'] = {
  200: {
    description: 'Yes.',
    content: {
      'application/json': { schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } } } },
    },
  },
};

const live: Operation = {
  operationId: 'isLive',
  tags: ['Health'],
  summary: 'Whether the process runs',
  security: [],
  responses: ok,
};

const ready: Operation = {
  operationId: 'isReady',
  tags: ['Health'],
  summary: 'Whether it can serve',
  description: 'No while the database is away, and from the beginning of a shutdown on.',
  security: [],
  responses: { ...ok, 503: errorResponse('`service_unavailable`: not now.') },
};

/** The probes. */
export const healthPart: DocumentPart = {
  paths: { '/health/live': { get: live }, '/health/ready': { get: ready } },
  schemas: {},
};
