import { pathToFileURL } from 'node:url';
import { projectPath } from './project.mjs';

const head = "// Made by `npm run docs` from the OpenAPI document of the console's API.\n\n";

/** The TypeScript types of the API, from the OpenAPI document of the built gateway. */
export async function apiTypes() {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document = await apiDocument();
  return head + astToString(await openapiTS(document, { alphabetize: true, emptyObjectsUnknown: true }));
}

/** In preview mode Nest instantiates nothing, so no database and no port are opened. */
export async function apiDocument() {
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  const { AppModule } = await fromBuild('app.module.js');
  const { createApiDocument } = await fromBuild('console/docs/api-document.service.js');
  const app = await NestFactory.create(AppModule.gateway(), {
    preview: true,
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  return createApiDocument(app);
}

function fromBuild(file) {
  return import(pathToFileURL(projectPath('dist', file)).href);
}
