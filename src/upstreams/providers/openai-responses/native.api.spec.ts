import { describe, expect, it } from '@jest/globals';
import { chunksOf, eventsIn, sseOf } from '../../../../test/support/native-checks.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { NativeBody } from '../../contract/native.body.js';
import { openRouterDialect } from '../openrouter/openrouter.dialect.js';
import { vllmDialect } from '../vllm/vllm.dialect.js';
import { xaiDialect } from '../xai/xai.dialect.js';
import { compatibleSurface, NativeResponses, nativeResponses, responsesSurface } from './native.api.js';

const native = new NativeResponses({ path: () => '/responses' });
const call = providerCall({ stream: true });

function bodyOf(fields: object): NativeBody {
  return { api: 'responses', fields: { model: 'public-model', ...fields }, headers: {} };
}

const event = (type: string, fields: object = {}) => `data: ${JSON.stringify({ type, ...fields })}\n\n`;
const CREATED = 1_790_000_000;
const response = {
  ...{ id: 'resp_1', created_at: CREATED, model: 'upstream-model' },
  ...{ store: true, output: [], status: 'in_progress' },
};
const PREAMBLE = event('response.created', { response }) + event('response.in_progress', { response });

describe('the start of a native stream', () => {
  it('is held back until the first other event, so that a refused call can be sent to another target', async () => {
    const refusal = event('error', { code: 'server_error', message: 'Overloaded.' });
    const seen: unknown[] = [];
    await chunksOf({ native, call }, [Buffer.from(PREAMBLE + refusal)]).then(
      (chunks) => seen.push(chunks),
      (error) => expect(error).toMatchObject({ advice: 'retry' }),
    );
    expect(seen).toEqual([]);
  });

  it('is sent with the first other event, in one chunk', async () => {
    const item = event('response.output_item.added', { output_index: 0, item: { type: 'message' } });
    const done = event('response.completed', { response: { ...response, status: 'completed' } });
    const chunks = await chunksOf({ native, call }, [Buffer.from(PREAMBLE + item + done)]);
    expect(chunks.map(({ nativeEvents }) => eventsIn(nativeEvents?.text ?? '').map((one) => one.event))).toEqual([
      ['response.created', 'response.in_progress', 'response.output_item.added'],
      ['response.completed'],
    ]);
  });

  it('is held back only up to a limit', async () => {
    const large = { ...response, instructions: 'x'.repeat(600_000) };
    const preamble =
      event('response.created', { response: large }) + event('response.in_progress', { response: large });
    const done = event('response.completed', { response: { ...response, status: 'completed' } });
    expect(await chunksOf({ native, call }, [Buffer.from(preamble + done)])).toHaveLength(2);
  });

  it('has the public model in every whole response', async () => {
    const done = event('response.incomplete', { response: { ...response, status: 'incomplete' } });
    const text = sseOf(await chunksOf({ native, call }, [Buffer.from(PREAMBLE + done)]));
    expect(text).not.toContain('upstream-model');
    expect(text.match(/"model":"public-model","store":false/g)).toHaveLength(3);
  });

  it('may be written in several lines', async () => {
    const lines = JSON.stringify({ type: 'response.completed', response }, null, 1).replaceAll('\n', '\ndata: ');
    const text = sseOf(await chunksOf({ native, call }, [Buffer.from(`data: ${lines}\n\n`)]));
    expect(text).toBe(
      `event: response.completed\ndata: ${lines.replace('upstream-model', 'public-model').replace('true', 'false')}\n\n`,
    );
  });
});

describe('the time of a native answer', () => {
  it.each<[string, object, number]>([
    ['is the upstream’s', { created_at: CREATED }, CREATED],
    ['is the call’s if the upstream sends 0', { created_at: 0 }, call.created],
    ['is the call’s if the upstream sends null', { created_at: null }, call.created],
    ['is the call’s if the upstream sends none', { created_at: undefined }, call.created],
  ])('%s', async (_what, fields, created) => {
    const answer = { ...response, status: 'completed', metadata: { note: '"created_at":0,' }, ...fields };
    const { nativeText = '' } = native.fromResponse(JSON.stringify(answer), call);
    expect(JSON.parse(nativeText)).toMatchObject({ model: 'public-model', created_at: created });
    const done = event('response.completed', { response: answer });
    const [last] = eventsIn(sseOf(await chunksOf({ native, call }, [Buffer.from(done)])));
    expect(JSON.parse(last?.data ?? '').response).toMatchObject({ model: 'public-model', created_at: created });
  });
});

describe('a native Responses request', () => {
  it.each([
    ['openrouter', nativeResponses(openRouterDialect), ['provider', 'plugins', 'models', 'preset'], '/responses'],
    ['vllm', nativeResponses(vllmDialect), ['cache_salt', 'priority', 'request_id'], '/responses'],
    ['xai', nativeResponses(xaiDialect), ['search_parameters'], '/responses'],
  ])('does not control the servers of %s', (_protocol, api, fields, path) => {
    const steering = Object.fromEntries(fields.map((field) => [field, 'x']));
    const request = api.toRequest(call, bodyOf({ input: 'Hi', ...steering, other: 1 }));
    expect(request).toMatchObject({ path, body: { input: 'Hi', other: 1 } });
    expect(Object.keys(request.body).filter((name) => fields.includes(name))).toEqual([]);
    expect(request.ignored).toEqual(expect.arrayContaining(fields));
  });

  it('has only known fields for models with a price, at a server of unknown make', () => {
    const names = { max_tokens: 9, n_predict: 9, best_of: 9, Max_Output_Tokens: 9 };
    const fields = { input: 'Hi', max_output_tokens: 5, top_k: 3, ...names };
    const unknown = new NativeResponses(compatibleSurface);
    const { body, ignored } = unknown.toRequest({ ...call, isPaid: true }, bodyOf(fields));
    expect([Object.keys(body).filter((name) => name in names), ignored]).toEqual([[], Object.keys(names)]);
    expect(body).toMatchObject({ input: 'Hi', max_output_tokens: 5, top_k: 3 });
    expect(unknown.toRequest(call, bodyOf(fields)).body).toMatchObject(names);
    const known = new NativeResponses(responsesSurface);
    expect(known.toRequest({ ...call, isPaid: true }, bodyOf(fields)).body).toMatchObject(names);
  });

  it.each<[unknown, unknown[] | undefined]>([
    [{}, ['reasoning.encrypted_content']],
    [{ store: true, include: ['x'] }, ['x', 'reasoning.encrypted_content']],
    [{ store: null, include: ['reasoning.encrypted_content'] }, ['reasoning.encrypted_content']],
    [{ store: false }, undefined],
    [{ store: false, include: ['x'] }, ['x']],
  ])('a native Responses request with %j requests the include values %j and stores nothing', (fields, include) => {
    const { body } = native.toRequest(call, bodyOf({ input: 'Hi', ...(fields as object) }));
    expect(body).toMatchObject({ store: false });
    expect(body.include).toEqual(include);
  });

  it('is not streamed unless the client requested it', () => {
    const whole = providerCall();
    expect(native.toRequest(whole, bodyOf({ input: 'Hi' })).body).not.toHaveProperty('stream');
    expect(native.toRequest(whole, bodyOf({ stream: null })).body.stream).toBe(false);
    expect(native.toRequest(call, bodyOf({ stream: true })).body.stream).toBe(true);
  });
});

describe('an error of a native Responses API', () => {
  it.each([
    ['input[0].content', 'input[0].content'],
    ['text.format', 'text.format'],
    ['max_output_tokens', 'max_output_tokens'],
  ])('names the field %s of its own API', (param, expected) => {
    const error = native.toError(400, {}, { error: { message: 'Wrong.', param } }, call);
    expect(error.body.param).toBe(expected);
  });

  const unreadable = {
    error: {
      code: 'invalid_encrypted_content',
      message: 'The encrypted content for item rs_1 could not be verified.',
    },
  };

  it('is recognized if reasoning of earlier turns cannot be read', () => {
    expect(native.toError(400, {}, unreadable, call).failure.refusedPart).toBe('reasoning');
    const xais = { error: 'Could not decrypt the provided encrypted_content.' };
    expect(native.toError(400, {}, xais, call).failure.refusedPart).toBe('reasoning');
    expect(native.toError(500, {}, unreadable, call).failure.refusedPart).toBeUndefined();
    expect(native.toError(400, {}, { error: { message: 'Bad.' } }, call).failure.refusedPart).toBeUndefined();
  });

  it('leads to the request without the reasoning of earlier turns', () => {
    const { failure } = native.toError(400, {}, unreadable, call);
    const user = { role: 'user', content: 'Hi' };
    const output = { type: 'function_call_output', call_id: 'c', output: '1' };
    const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const input = [user, { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' }, { ...called, id: 'fc_1' }, output];
    const again = native.withoutRefused(bodyOf({ input, other: 1 }), failure);
    expect(again?.body.fields).toEqual({ model: 'public-model', input: [user, called, output], other: 1 });
    expect(again?.leftOut).toEqual(['input[1]', 'input[2].id']);
    expect(native.withoutRefused(bodyOf({ input: [user] }), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf({ input: 'Hi' }), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf({ input }), { status: 400 })).toBeNull();
  });

  const NOT_FOUND =
    "Item with id 'rs_2' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true.";
  const REFUSED_ITEMS = [
    NOT_FOUND,
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_2'.",
    "Item 'rs_2' of type 'reasoning' was provided without its required following item.",
    "Invalid 'input[3].id': 'call_1'. Expected an ID that begins with 'fc'.",
  ];

  it.each(REFUSED_ITEMS.flatMap((message) => [400, 404].map((status) => [status, message] as const)))(
    'an error of a native Responses API of status %i about an item is a refused request: %s',
    (status, message) => {
      const error = native.toError(status, {}, { error: { message, param: 'input' } }, call);
      expect(error).toMatchObject({ status: 400, advice: 'never', failure: { status: 400, refusedPart: 'items' } });
      expect(error.body.message).toContain(/'(?:rs_2|call_1)'/.exec(message)?.[0]);
    },
  );

  it('about an item that is not stored says what to send instead', () => {
    const { body } = native.toError(404, {}, { error: { message: NOT_FOUND, param: 'input' } }, call);
    expect(body.message).toMatch(/'rs_2'.*'encrypted_content'.*'input'/);
    expect(body.message).not.toContain('set to true');
  });

  it('about a missing model is not about an item', () => {
    const error = { message: "The model 'gpt-9' does not exist.", code: 'model_not_found' };
    expect(native.toError(404, {}, { error }, call)).toMatchObject({ status: 502, advice: 'other-target' });
  });

  it('about an item leads to the request without reasoning that has no content, and without ids', () => {
    const { failure } = native.toError(404, {}, { error: { message: NOT_FOUND } }, call);
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'enc' },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: null },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    ];
    const again = native.withoutRefused(bodyOf({ input }), failure);
    expect(again?.body.fields.input).toEqual([
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', summary: [], encrypted_content: 'enc' },
      { type: 'message', role: 'assistant', content: [] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    ]);
    expect(again?.leftOut).toEqual(['input[1].id', 'input[2].id', 'input[3]', 'input[4].id']);
    expect(again && native.withoutRefused(again.body, failure)).toBeNull();
  });

  it.each<[object, string[], unknown]>([
    [{}, [], undefined],
    [{ include: ['x', 'reasoning.encrypted_content'] }, ['include[1]'], ['x']],
    [{ store: false, include: ['reasoning.encrypted_content'] }, ['include[0]'], []],
  ])('about encrypted reasoning leads to the request %j without it, naming %j', (fields, leftOut, include) => {
    const error = { message: 'Encrypted content is not supported with this model.', param: 'include' };
    const { failure } = native.toError(400, {}, { error }, call);
    const again = native.withoutRefused(bodyOf(fields), failure);
    expect(again?.leftOut).toEqual(leftOut);
    const { body } = native.toRequest(call, again?.body ?? bodyOf({}));
    expect([body.include, body.store]).toEqual([include, false]);
    expect(again && native.withoutRefused(again.body, failure)).toBeNull();
  });

  it('an error of a native Responses API in a stream that names a field is a refused request', async () => {
    const text = event('error', { code: null, message: NOT_FOUND, param: 'input' });
    await expect(chunksOf({ native, call }, [Buffer.from(text)])).rejects.toMatchObject({ status: 400 });
  });
});

describe('the efforts of a native request', () => {
  const user = { role: 'user', content: 'Hi' };
  const update = (effort: string) => ({ type: 'configuration_update', reasoning: { effort } });
  const sent = (fields: object, efforts: ModelTraits['efforts']) =>
    native.toRequest({ ...call, traits: { ...UNKNOWN_TRAITS, efforts } }, bodyOf(fields)).body;

  it('become the nearest that the model is declared to have, also where items of the input set them', () => {
    const reasoning = { effort: 'none', summary: 'auto', mode: 'pro' };
    const input = [user, update('minimal'), update('high')];
    expect(sent({ reasoning, input }, ['low', 'high'])).toMatchObject({
      reasoning: { effort: 'low', summary: 'auto', mode: 'pro' },
      input: [user, update('low'), update('high')],
    });
  });

  it('stay as they are if the model has them or declares none', () => {
    const fields = { reasoning: { effort: 'none', summary: 'auto' }, input: [user, update('minimal')] };
    const known: ModelTraits['efforts'] = ['none', 'minimal'];
    for (const efforts of [null, known]) {
      const body = sent(fields, efforts);
      expect([body.reasoning, body.input]).toEqual([fields.reasoning, fields.input]);
      expect(body.input).toBe(fields.input);
    }
  });
});
