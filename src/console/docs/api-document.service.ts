import { type INestApplication, type INestApplicationContext, Injectable } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { LRUCache } from 'lru-cache';
import type { Rights } from '../../accounts/permissions.js';
import { Access, type RouteAccess } from '../session/route-access.js';
import { completionsPart } from './completions.part.js';
import { METHODS, type Operation, type PathItem } from './document.types.js';
import { embeddingsPart } from './embeddings.part.js';
import { ERROR_CODES } from './error-codes.js';
import { errorResponse, errorSchemas } from './error-responses.js';
import { healthPart } from './health.part.js';
import { keyPart } from './key.part.js';
import { messagesPart } from './messages.part.js';
import { modelsPart } from './models.part.js';
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

type Paths = OpenAPIObject['paths'];

/** The console's paths, each operation with its permission and its possible errors. */
function consolePaths(paths: Paths, accesses: ReadonlyMap<string, RouteAccess>): Paths {
  const ofConsole = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return Object.fromEntries(ofConsole.map(([path, item]) => [path, withAccess(item, accesses)]));
}

function withAccess(item: PathItem, accesses: ReadonlyMap<string, RouteAccess>): PathItem {
  const described = { ...item };
  for (const method of METHODS) {
    const operation = item[method];
    if (operation) described[method] = toConsoleOperation(operation, accesses.get(operation.operationId ?? ''));
  }
  return described;
}

function toConsoleOperation(operation: Operation, access: RouteAccess | undefined): Operation {
  const permission =
    access === undefined || typeof access === 'string' ? {} : { 'x-permission': access[0], 'x-reach': access[1] };
  return {
    ...operation,
    ...permission,
    security: access === 'anyone' ? [] : [{ session: [] }, { token: [] }],
    responses: { ...operation.responses, default: errorResponse('The error.') },
  };
}

const about = `One gateway in front of every model provider that your company uses, for clients of OpenAI’s and Anthropic’s APIs.

- **\`/v1\`** is for programs. Send \`Authorization: Bearer svc_…\` with a key from the console (or the key as
  \`x-api-key\` or \`api-key\`). \`/openai/v1\`
  mirrors it, with OpenAI's list of models as its default, for clients where only the base URL can be set.
- **\`/api\`** is the API of the console and of automation. It takes \`Authorization: Bearer gat_…\` with an access token, or
  the session cookie of a signed-in person, never a key. \`x-permission\` names the permission that an operation needs, and
  \`x-reach\` for what: everything (\`all\`), a \`project\`, or what is the caller's \`own\`.

Every response has an \`x-request-id\`; errors have OpenAI’s format, at \`/v1/messages\` Anthropic’s.`;

const tags: Record<string, string> = {
  'Chat completions': 'Conversations with models, in OpenAI’s format.',
  Responses: 'Conversations with models, in OpenAI’s newer format.',
  Messages: 'Conversations with models, in Anthropic’s format.',
  Embeddings: 'Texts as vectors, in OpenAI’s format.',
  'Models of a key': 'The models that the key can use.',
  Health: 'For orchestrators and load balancers; without a key.',
};

/** The document without paths: what the API is, who can call it, and how to authenticate. */
function documentBase() {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Chat Completion Gateway')
    .setDescription(about)
    .setVersion('1')
    .addServer('/', 'This gateway')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'svc_…', description: 'An API key, for `/v1`.' },
      'key',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'gat_…', description: 'An access token, for `/api`.' },
      'token',
    )
    .addCookieAuth('gateway_session', { type: 'apiKey', description: 'Signing in to the console sets it.' }, 'session');
  for (const [name, description] of Object.entries(tags)) builder.addTag(name, description);
  return builder.build();
}

type Schemas = Readonly<Record<string, unknown>>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The document with only some operations, and without schemas that only the others use. */
export function documentOf<D extends OpenAPIObject>(document: D, isShown: (operation: Operation) => boolean): D {
  const items = Object.entries(document.paths).map(([path, item]) => [path, shownOf(item, isShown)] as const);
  const paths = Object.fromEntries(items.filter(([, item]) => METHODS.some((method) => item[method])));
  const all: Schemas = document.components?.schemas ?? {};
  const used = referencedFrom(paths, all);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, paths, components: { ...document.components, schemas } };
}

function shownOf(item: PathItem, isShown: (operation: Operation) => boolean): PathItem {
  const stored = { ...item };
  for (const method of METHODS) if (stored[method] && !isShown(stored[method])) delete stored[method];
  return stored;
}

/** The names of the schemas that a value refers to, directly or through other schemas. */
function referencedFrom(part: unknown, schemas: Schemas, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
    if (seen.has(name)) continue;
    seen.add(name);
    referencedFrom(schemas[name], schemas, seen);
  }
  return seen;
}

type Method = (...parameters: never[]) => unknown;
type ControllerClass = { readonly name: string; readonly prototype: Record<string, Method> };

const reflector = new Reflector();
const scanner = new MetadataScanner();

/** Who can call each console operation, by the operation's id. */
export function routeAccess(app: INestApplicationContext): ReadonlyMap<string, RouteAccess> {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return new Map(controllers.flatMap(({ metatype }) => accessOf(metatype as ControllerClass)));
}

/** `Session_open` for `SessionController.open`. */
export function operationId(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

function accessOf(controller: ControllerClass): [string, RouteAccess][] {
  return scanner.getAllMethodNames(controller.prototype).flatMap((method) => {
    const handler = controller.prototype[method];
    const access = handler && reflector.getAllAndOverride(Access, [handler, controller as unknown as Method]);
    return access ? [[operationId(controller.name, method), access] as [string, RouteAccess]] : [];
  });
}

/** The number of different sets of rights for which the document is stored. */
const MAX_STORED = 20;

/** The OpenAPI document of this gateway as JSON: whole, or what someone can call. It is built on first use. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private readonly json = new LRUCache<string, string>({ max: MAX_STORED });

  /** Nest does not inject the application, so the setup passes it. */
  describe(app: INestApplication): void {
    this.app = app;
    this.json.clear();
  }

  /** `rights`: of whom the document shows the operations; null: all operations. */
  toJson(rights: Rights | null): string {
    const key = rights?.key ?? 'all';
    const known = this.json.get(key);
    if (known) return known;
    const json = JSON.stringify(this.create(rights));
    this.json.set(key, json);
    return json;
  }

  private create(rights: Rights | null) {
    if (!this.app) throw new Error('describe() was not called');
    const whole = createApiDocument(this.app);
    if (rights === null) return whole;
    const accesses = routeAccess(this.app);
    return documentOf(whole, ({ operationId = '' }) => {
      const access = accesses.get(operationId);
      return access === undefined || typeof access === 'string' || rights.reaches(...access);
    });
  }
}
