import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../config/models.settings.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { declaredRefusals, RefusedParameters, refusedField } from './refused-parameters.js';

const request = (fields: Partial<ChatCompletionRequest>): ChatCompletionRequest => ({
  model: 'm',
  messages: [],
  ...fields,
});
const target = (name: string, upstreamModel = 'm1', traits: Partial<ModelTraits> = {}) =>
  ({ upstream: { name }, upstreamModel, traits: { ...UNKNOWN_TRAITS, ...traits } }) as LiveTarget;
const all = request({ temperature: 0.5, top_p: 0.9, top_k: 5, stop: ['x'], frequency_penalty: 1, presence_penalty: 1 });

describe('the sampling field that an upstream refuses', () => {
  it.each([
    ["Unsupported value: 'temperature' does not support 0.5 with this model.", 'temperature', 'temperature'],
    ["Unsupported parameter: 'top_p' is not supported with this model.", undefined, 'top_p'],
    ['`temperature` is deprecated for this model.', undefined, 'temperature'],
    ['Argument not supported on this model: presence_penalty', 'presence_penalty', 'presence_penalty'],
    ['The parameter "stop" is not supported.', undefined, 'stop'],
    ['stop: unknown field', 'stop', 'stop'],
    ['`temperature` and `top_p` cannot both be specified: top_p is not allowed', 'top_p', 'top_p'],
    ['`temperature` and `top_p` cannot both be specified', undefined, 'top_p'],
    ['temperature and top_p cannot both be specified for this model. Please use only one.', 'temperature', 'top_p'],
    ['`temperature` may only be set to 1 when thinking is enabled', undefined, 'temperature'],
    ['frequency_penalty is not supported', undefined, 'frequency_penalty'],
    ['Unrecognized request argument supplied: top_k', undefined, 'top_k'],
    ["This model doesn't support the stopSequences field. Remove stopSequences and try again.", 'stop', 'stop'],
    ['#: extraneous key [presence_penalty] is not permitted', 'presence_penalty', 'presence_penalty'],
  ])('is found in: %s', (message, param, field) => {
    expect(refusedField({ status: 400, message, param }, all)).toMatchObject({ field, isCertain: true });
    expect(refusedField({ status: 422, message, param }, all)).toMatchObject({ field, isCertain: true });
  });

  it.each([
    ['a range', "'temperature' must be between 0 and 1.", 'temperature'],
    ['another field', "Unsupported parameter: 'seed' is not supported.", 'seed'],
    ['a word', 'Please stop: this content is not allowed.', undefined],
    ['nothing', undefined, 'temperature'],
  ])('is null if the message is about %s', (_what, message, param) => {
    expect(refusedField({ status: 400, message, param }, all)).toBeUndefined();
  });

  it('is never a field that the caller did not send, or sent as null', () => {
    const failure = { status: 400, message: "'temperature' is not supported", param: 'temperature' };
    expect(refusedField(failure, request({ top_p: 1 }))).toBeUndefined();
    expect(refusedField(failure, request({ temperature: null }))).toBeUndefined();
  });

  it('is the field that the upstream names separately, whatever its message says', () => {
    const failure = { status: 400, message: "'temperature' or 'top_p' are not supported", paramIsStructured: true };
    const mentioning = { ...all, messages: [{ role: 'user' as const, content: 'top_p' }] };
    expect(refusedField({ ...failure, param: 'top_p' }, mentioning)).toMatchObject({ field: 'top_p', isCertain: true });
    expect(refusedField({ ...failure, param: 'response_format' }, all)).toBeUndefined();
  });

  it.each<[string, Partial<ChatCompletionRequest>]>([
    ['a message', { messages: [{ role: 'user', content: 'What is the temperature?' }] }],
    ['a part', { messages: [{ role: 'user', content: [{ type: 'text', text: 'temperature' }] }] }],
    ['a name', { response_format: { type: 'json_schema', json_schema: { name: 'temperature' } } }],
    ['a key', { tools: [{ type: 'function', function: { name: 'f', parameters: { temperature: {} } } }] }],
    ['another field', { user: 'temperature' }],
  ])('is uncertain if its name also occurs elsewhere in the request: in %s', (_where, fields) => {
    const failure = { status: 400, message: "'temperature' is not supported", param: 'temperature' };
    expect(refusedField(failure, { ...all, ...fields })).toMatchObject({ field: 'temperature', isCertain: false });
    const both = { status: 400, message: "'temperature' and 'top_p' cannot both be specified" };
    expect(refusedField(both, { ...all, ...fields })).toMatchObject({ beside: 'temperature', isCertain: false });
  });

  it('is null for other statuses', () => {
    expect(refusedField({ status: 500, message: "'temperature' is not supported" }, all)).toBeUndefined();
  });
});

describe('the sampling fields that a model is declared to refuse', () => {
  it('are penalties that are not zero, where it declares that', () => {
    const refusing = { ...UNKNOWN_TRAITS, penalties: false };
    expect(declaredRefusals(refusing, all)).toEqual(['frequency_penalty', 'presence_penalty']);
    const one = request({ frequency_penalty: 0, presence_penalty: 0.1 });
    expect(declaredRefusals(refusing, one)).toEqual(['presence_penalty']);
    for (const one of [true, null]) {
      expect(declaredRefusals({ ...UNKNOWN_TRAITS, penalties: one, sampling: one }, all)).toEqual([]);
    }
  });

  it('are temperature, top_p and top_k if they are given', () => {
    const refusing = { ...UNKNOWN_TRAITS, sampling: false };
    expect(declaredRefusals(refusing, all)).toEqual(['temperature', 'top_p', 'top_k']);
    expect(declaredRefusals(refusing, request({}))).toEqual([]);
  });
});

describe('the memory of refused parameters', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('applies to one target, field and exact value', () => {
    const refused = new RefusedParameters();
    refused.remember(target('a'), request({ temperature: 0.5, stop: ['x'] }), { field: 'temperature', beside: null });
    refused.remember(target('a'), request({ temperature: 0.5, stop: ['x'] }), { field: 'stop', beside: null });
    const known = (at: LiveTarget, fields: Partial<ChatCompletionRequest>) => refused.knownFor(at, request(fields));
    expect(known(target('a'), { temperature: 0.5, top_p: 0.5, stop: ['x'] })).toEqual(['temperature', 'stop']);
    expect(known(target('a'), { temperature: 0.6, stop: ['y'] })).toEqual([]);
    expect(known(target('a'), { temperature: 1, stop: 'x' })).toEqual([]);
    expect(known(target('b'), { temperature: 0.5 })).toEqual([]);
    expect(known(target('a', 'm2'), { temperature: 0.5 })).toEqual([]);
    expect(known(target('a'), { temperature: null })).toEqual([]);
  });

  it('applies to pairs of conflicting fields with any values, and not to either field alone', () => {
    const refused = new RefusedParameters();
    const message = 'The model returned the following errors: `temperature` and `top_p` cannot both be specified.';
    const sent = request({ temperature: 0.5, top_p: 0.9 });
    const found = refusedField({ status: 400, message }, sent);
    expect(found).toEqual({ field: 'top_p', beside: 'temperature', isCertain: true });
    if (found) refused.remember(target('a'), sent, found);
    expect(refused.knownFor(target('a'), sent)).toEqual(['top_p']);
    expect(refused.knownFor(target('a'), request({ temperature: 0.1, top_p: 0.2 }))).toEqual(['top_p']);
    expect(refused.knownFor(target('a'), request({ top_p: 0.9 }))).toEqual([]);
    expect(refused.knownFor(target('a'), request({ temperature: 0.5 }))).toEqual([]);
  });

  it('applies to one version of a native API', () => {
    const refused = new RefusedParameters();
    const sent = request({ temperature: 0.5 });
    const native = (version: string): NativeBody => ({
      api: 'messages',
      fields: {},
      headers: { 'anthropic-version': version },
    });
    refused.remember(target('a'), sent, { field: 'temperature', beside: null }, native('2026-10-21'));
    expect(refused.knownFor(target('a'), sent, native('2026-10-21'))).toEqual(['temperature']);
    expect(refused.knownFor(target('a'), sent, native('2023-06-01'))).toEqual([]);
    expect(refused.knownFor(target('a'), sent)).toEqual([]);
  });

  it('lasts an hour', async () => {
    const startedAt = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(startedAt);
    const refused = new RefusedParameters();
    const sent = request({ temperature: 0.5 });
    // The cache reads the clock once per millisecond.
    const at = async (ms: number) => {
      clock.mockReturnValue(startedAt + ms);
      await sleep(5);
      return refused.knownFor(target('a'), sent);
    };
    refused.remember(target('a'), sent, { field: 'temperature', beside: null });
    expect(await at(3_599_000)).toEqual(['temperature']);
    expect(await at(3_601_000)).toEqual([]);
  });
});

it('a field that was refused while the model reasons is not refused without reasoning', () => {
  const refused = new RefusedParameters();
  const reasoning = request({ temperature: 0.5, reasoning_effort: 'high' });
  refused.remember(target('a'), reasoning, { field: 'temperature', beside: null });
  expect(refused.knownFor(target('a'), request({ temperature: 0.5 }))).toEqual(['temperature']);
  expect(refused.knownFor(target('a'), { ...reasoning, reasoning_effort: 'none' })).toEqual([]);
});
