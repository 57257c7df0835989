import { describe, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import openapiTypes from 'openapi-typescript';
import { QUESTION } from './support/chat-test.js';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

interface Operation {
  tags: string[];
  summary?: string;
  operationId: string;
  security?: Record<string, string[]>[];
  'x-reach'?: string;
  responses: Record<string, unknown>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const user = await gateway.createUser({ plan: 'pro' });
const document = (await (await gateway.get('/docs/openapi.json')).json()) as Document;
const validator = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(
  document,
  'document',
);

/** Anthropic's clients have no base URL that ends with /openai/v1. */
const ANTHROPICS = / \/v1\/messages(\/|$)/;

function schema(name: string): ValidateFunction {
  return validator.compile({ $ref: `document#/components/schemas/${name}` });
}

function faultsOf(name: string, value: unknown): unknown {
  const validate = schema(name);
  return validate(value) ? [] : validate.errors;
}

/** `get /v1/models/{id}`: what the application serves beside its pages. */
function servedOperations(): string[] {
  const { stack } = gateway.services.get(HttpAdapterHost).httpAdapter.getInstance().router as { stack: Layer[] };
  return stack
    .flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((method) => `${method} ${template(route.path)}`) : [],
    )
    .filter((operation) => /^\w+ \/(v1|openai|api|health)\//.test(operation));
}

function template(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

function documentedOperations(): string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
}

function operations(): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    await expect(openapiTypes(JSON.stringify(document), { silent: true })).resolves.toBeDefined();
  });

  it('describes every route that is served, and serves every route that it describes', () => {
    const served = servedOperations();
    const mirrored = served.filter((operation) => operation.includes(' /openai/'));
    expect(served.filter((operation) => !mirrored.includes(operation)).sort()).toEqual(documentedOperations().sort());
    const ofAzure = mirrored.filter((operation) => !operation.includes(' /openai/v1/'));
    const ofBase = mirrored.filter((operation) => !ofAzure.includes(operation));
    const documented = documentedOperations().filter((operation) => operation.includes(' /v1/'));
    expect(ofBase.map((operation) => operation.replace(' /openai/', ' /')).sort()).toEqual(
      documented.filter((operation) => !ANTHROPICS.test(operation)).sort(),
    );
    const originals = ofAzure.map((operation) => operation.replace(/ \/openai\/(deployments\/\{model\}\/)?/, ' /v1/'));
    expect(documented).toEqual(expect.arrayContaining(originals));
  });

  it('has a summary, a unique id and the responses of every operation', () => {
    const undescribed = operations().filter(
      ([, { summary, responses }]) => !summary || Object.keys(responses).length < 1,
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('states who can call each operation: with a key, with a session or token, or anyone', () => {
    const wrong = operations().filter(([name, { security }]) => {
      const schemes = (security ?? [{ missing: [] }]).flatMap((entry) => Object.keys(entry)).join();
      if (name.includes(' /v1/')) return schemes !== 'key';
      return name.includes(' /api/') ? !['', 'session,token'].includes(schemes) : schemes !== '';
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
    expect(document.paths['/api/models']?.get?.security).toEqual([{ session: [] }, { token: [] }]);
    expect(document.paths['/api/session']?.post?.security).toEqual([]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['key', 'token', 'session']);
  });

  it('has no unresolved reference', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });
});

describe('answers match their description', () => {
  it('answers match their description by a chat completion and its request', async () => {
    expect(faultsOf('ChatCompletionRequest', QUESTION)).toEqual([]);
    expect(faultsOf('ChatCompletionRequest', { ...QUESTION, temperature: 3 })).not.toEqual([]);
    const answer = await gateway.complete(user, QUESTION);
    expect(faultsOf('ChatCompletion', await answer.json())).toEqual([]);
  });

  it('answers match their description by each event of a stream', async () => {
    const body = { ...QUESTION, stream: true, stream_options: { include_usage: true } };
    const events = (await (await gateway.complete(user, body)).text()).split('\n\n').filter((event) => event !== '');
    expect(events.pop()).toBe('data: [DONE]');
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) expect(faultsOf('ChatCompletionChunk', JSON.parse(event.slice(6)))).toEqual([]);
  });

  it('answers match their description by the models in both formats', async () => {
    const get = async (path: string) => (await gateway.get(path, user.headers)).json();
    for (const model of (await get('/v1/models')) as object[]) expect(faultsOf('ModelSummary', model)).toEqual([]);
    expect(faultsOf('ModelList', await get('/openai/v1/models'))).toEqual([]);
    expect(faultsOf('Model', await get('/v1/models/gpt-6-luna'))).toEqual([]);
  });

  it('answers match their description by errors', async () => {
    for (const path of ['/v1/models', '/v1/nothing', '/api/models', '/docs/nothing.js']) {
      expect(faultsOf('Error', await (await gateway.get(path)).json())).toEqual([]);
    }
  });
});

describe('the document of a session', () => {
  it('is complete for an administrator, and has only the operations for members for a member', async () => {
    const ofAdmin = (await (await ConsoleClient.as(gateway, 'admin')).get('/api/openapi')).body as Document;
    expect(ofAdmin).toEqual(document);
    const ofMember = (await (await ConsoleClient.as(gateway, 'member')).get('/api/openapi')).body as Document;
    const forAdmins = operations().filter(([, operation]) => operation['x-reach'] === 'all');
    expect(forAdmins.length).toBeGreaterThan(10);
    expect(forAdmins.map(([name]) => name)).toContain('get /api/users');
    const expected = documentedOperations().filter((name) => !forAdmins.some(([other]) => other === name));
    const found = Object.entries(ofMember.paths).flatMap(([path, item]) =>
      Object.keys(item).map((one) => `${one} ${path}`),
    );
    expect(found.sort()).toEqual(expected.sort());
    expect(JSON.stringify(ofMember)).not.toContain('UpdateUserDto');
    await expect(openapiTypes(JSON.stringify(ofMember), { silent: true })).resolves.toBeDefined();
  });

  it('needs a session', async () => {
    expect((await gateway.get('/api/openapi')).status).toBe(401);
  });
});

describe('the file for tools', () => {
  it('is public, and the only file below /docs', async () => {
    const file = await gateway.get('/docs/openapi.json');
    expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const name of ['package.json', 'docs.js', 'openapi.yaml']) {
      expect((await gateway.get(`/docs/${name}`)).status).toBe(404);
    }
  });
});
