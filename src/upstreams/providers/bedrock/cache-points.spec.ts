import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { bedrockAdapter } from './bedrock.adapter.js';

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'amazon.nova-lite-v1:0';
const mark = { cache_control: { type: 'ephemeral' } };
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
const point = { cachePoint: { type: 'default' } };
const hourPoint = { cachePoint: { type: 'default', ttl: '1h' } };

const text = (content: string, marked: object = {}) => ({ type: 'text' as const, text: content, ...marked });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'look', arguments: '{}' } });
const look = { type: 'function' as const, function: { name: 'look', description: 'Look.' } };

function sent(request: object, upstreamModel = CLAUDE) {
  const requested = providerCall(request as Partial<ChatCompletionRequest>);
  return bedrockAdapter.toRequest({ ...requested, upstreamModel });
}

describe('a cache mark sent to Converse', () => {
  it.each([
    ['Anthropic', mark],
    ['OpenAI', breakpoint],
  ])('a cache mark sent to Converse in the form of %s becomes a cache point behind its block', (_whose, marked) => {
    const { body, ignored } = sent({
      messages: [
        { role: 'system', content: [text('Be brief.', marked), text('Be kind.')] },
        { role: 'user', content: [text('Look'), { ...image, ...marked }, text('here')] },
        { role: 'assistant', content: [text('Well', marked)], tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'a', content: [text('a cat', marked)] },
        { role: 'tool', tool_call_id: 'b', content: 'a dog' },
      ],
    });
    expect(body.system).toEqual([{ text: 'Be brief.' }, point, { text: 'Be kind.' }]);
    expect(body.messages).toMatchObject([
      { content: [{ text: 'Look' }, { image: {} }, point, { text: 'here' }] },
      { content: [{ text: 'Well' }, point, { toolUse: {} }, { toolUse: {} }] },
      { content: [{ toolResult: { toolUseId: 'a' } }, point, { toolResult: { toolUseId: 'b' } }] },
    ]);
    expect(ignored).toEqual([]);
  });

  it('a cache mark sent to Converse in the form of OpenAI lasts an hour if it is to last for twelve', () => {
    const { body } = sent({
      messages: [
        {
          role: 'user',
          content: ['12h', '30m'].map((ttl) => text(ttl, { prompt_cache_breakpoint: { mode: 'explicit', ttl } })),
        },
      ],
    });
    expect(body.messages).toMatchObject([{ content: [{ text: '12h' }, hourPoint, { text: '30m' }, point] }]);
  });

  it('may stand in a whole message, a call, a tool, a function or the request', () => {
    const { body } = sent({
      ...mark,
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', tool_calls: [{ ...call('a'), ...mark }] },
        { role: 'tool', tool_call_id: 'a', content: 'a cat', ...mark },
        { role: 'user', content: 'And now?' },
      ],
      tools: [
        { ...look, ...mark },
        { type: 'function', function: { name: 'listen' } },
      ],
    });
    expect(body.toolConfig).toMatchObject({ tools: [{ toolSpec: {} }, point, { toolSpec: { name: 'listen' } }] });
    expect(body.messages).toMatchObject([
      { content: [{ text: 'Look' }] },
      { content: [{ toolUse: {} }, point] },
      { content: [{ toolResult: {} }, point, { text: 'And now?' }, point] },
    ]);
    const inFunction = sent({ tools: [{ type: 'function', function: { name: 'look', ...mark } }] });
    expect(inFunction.body.toolConfig).toMatchObject({ tools: [{ toolSpec: {} }, point] });
  });

  it('a cache mark sent to Converse for an hour is for an hour where the model has that, and never outlives an earlier one', () => {
    const messages = [
      { role: 'system', content: [text('Be brief.', hour)] },
      { role: 'user', content: [text('One', mark), text('two', hour)] },
    ];
    const content = (model: string) => sent({ messages }, model).body;
    expect(content(CLAUDE)).toMatchObject({
      system: [{}, hourPoint],
      messages: [{ content: [{ text: 'One' }, point, { text: 'two' }, point] }],
    });
    expect(content(CLAUDE).messages).not.toMatchObject([{ content: [{}, hourPoint, {}, {}] }]);
    for (const model of ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', NOVA]) {
      expect(content(model).system).toEqual([{ text: 'Be brief.' }, point]);
    }
  });

  it('beyond the four that the API takes is left out and named, the first ones first', () => {
    const content = ['a', 'b', 'c', 'd', 'e'].map((letter) => text(letter, mark));
    const { body, ignored } = sent({
      messages: [
        { role: 'system', content },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(body.system).toEqual([
      { text: 'a' },
      ...['b', 'c', 'd', 'e'].flatMap((letter) => [{ text: letter }, point]),
    ]);
    expect(ignored).toEqual(['cache_control']);
  });

  it('a cache mark sent to Converse in a tool is left out and named for Nova, which caches none', () => {
    const messages = [{ role: 'user', content: [text('Hi', mark)] }];
    const { body, ignored } = sent({ messages, tools: [{ ...look, ...mark }] }, NOVA);
    expect(body.toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'look' } }] });
    expect(body.messages).toEqual([{ role: 'user', content: [{ text: 'Hi' }, point] }]);
    expect(ignored).toEqual(['cache_control']);
  });

  it.each([
    'meta.llama3-3-70b-instruct-v1:0',
    'amazon.titan-text-premier-v1:0',
    'anthropic.claude-3-haiku-20240307-v1:0',
  ])('is left out and named for %s, which has no cache', (model) => {
    const { body, ignored } = sent({ messages: [{ role: 'user', content: [text('Hi', mark)] }] }, model);
    expect(body.messages).toEqual([{ role: 'user', content: [{ text: 'Hi' }] }]);
    expect(ignored).toEqual(['cache_control']);
  });
});
