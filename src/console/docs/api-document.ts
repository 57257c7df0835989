import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { completionsPart } from './completions.part.js';
import { consolePaths } from './console-paths.js';
import { documentBase } from './document-base.js';
import { embeddingsPart } from './embeddings.part.js';
import { errorSchemas } from './error.schemas.js';
import { ERROR_CODES } from './error-codes.js';
import { healthPart } from './health.part.js';
import { keyPart } from './key.part.js';
import { messagesPart } from './messages.part.js';
import { modelsPart } from './models.part.js';
import { operationId, routeAccess } from './operation-access.js';
import { requestsPart } from './requests.part.js';
import { responsesPart } from './responses.part.js';
import { textCompletionsPart } from './text-completions.part.js';

const parts = [
  completionsPart,
  responsesPart,
  messagesPart,
  textCompletionsPart,
  embeddingsPart,
  requestsPart,
  modelsPart,
  keyPart,
  healthPart,
];

/**
 * The OpenAPI document of everything that the gateway serves over HTTP: the console's API from its classes, the rest
 * from this folder, so that the code that serves calls contains no documentation.
 */
export function createApiDocument(app: INestApplication) {
  const generated = SwaggerModule.createDocument(app, documentBase(), { operationIdFactory: operationId });
  return {
    ...generated,
    'x-error-codes': ERROR_CODES,
    paths: Object.assign({}, ...parts.map(({ paths }) => paths), consolePaths(generated.paths, routeAccess(app))),
    components: {
      ...generated.components,
      schemas: Object.assign({}, generated.components?.schemas, errorSchemas, ...parts.map(({ schemas }) => schemas)),
    },
  };
}
