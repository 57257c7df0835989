import { describe, expect, it } from '@jest/globals';
import { CallMetricsService } from '../../telemetry/call-metrics.service.js';
import { MetricsService } from '../../telemetry/metrics.service.js';
import type {
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  FinishReason,
} from '../../upstreams/contract/chat.types.js';
import { AnswerRecord } from './answer.record.js';

const metrics = new CallMetricsService(new MetricsService());
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

function chunk(...choices: ChatChunkChoice[]): ChatCompletionChunk {
  return { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices };
}

function part(delta: ChatDelta, finish: FinishReason | null = null, index = 0): ChatChunkChoice {
  return { index, delta, finish_reason: finish };
}

const REQUEST = { model: 'm', messages: [] };

function recordOf(...chunks: ChatCompletionChunk[]): AnswerRecord {
  const call = { id: 'a', startedMs: performance.now() - 50, api: 'chat.completions', request: REQUEST };
  const record = new AnswerRecord(call, metrics);
  for (const seen of chunks) record.see(seen);
  return record;
}

describe('the record of an answer', () => {
  it('collects everything that the model wrote', () => {
    const toolCall = { index: 0, id: 'x', function: { name: 'f', arguments: '{}' } };
    const record = recordOf(
      chunk(part({ role: 'assistant', content: 'a' })),
      chunk(part({ reasoning_content: 'b' }), part({ refusal: 'c' }, null, 1)),
      chunk(part({ tool_calls: [toolCall] }, 'tool_calls')),
      chunk(part({ function_call: { name: 'g', arguments: '[]' } }, 'function_call')),
    );
    expect(record.texts.join('')).toBe('abcf{}g[]');
  });

  it('counts calls of custom tools, sound and pictures, and native output that no chunk has', () => {
    const custom = { index: 0, id: 'x', type: 'custom' as const, custom: { name: 'f', input: 'patch' } };
    const record = recordOf(
      chunk(part({ tool_calls: [custom] })),
      chunk(part({ audio: { transcript: 'Hi.', data: 'A'.repeat(400) } })),
      chunk(part({ images: [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,AA==' } }] })),
      { ...chunk(), nativeEvents: { text: '', isLast: false, unread: { text: 'query', sound: 200 } } },
    );
    expect([record.texts.join(''), record.soundTokens, record.imageTokens]).toEqual(['fpatchHi.query', 2 + 1, 1300]);
  });

  it('joins many small pieces into few, in order', () => {
    const pieces = Array.from({ length: 100 }, (_, i) => `${i} `);
    const record = recordOf(...pieces.map((content) => chunk(part({ content }))));
    expect(record.texts.join('')).toBe(pieces.join(''));
    expect(record.texts.length).toBe(3 + 4);
  });

  it.each([32, 64, 64 * 1024])(
    'stores about 128 k characters, from all parts of a long text: pieces of %i',
    (length) => {
      const pieces = [' ', 'x'].flatMap((kind) => Array<string>(1024 ** 2 / length).fill(kind.repeat(length)));
      const record = recordOf(...pieces.map((content) => chunk(part({ content }))));
      const text = record.texts.join('');
      expect(text.length).toBeLessThan(136 * 1024);
      expect(text.length).toBeGreaterThan(32 * 1024);
      const written = text.replaceAll(' ', '').length / text.length;
      expect(Math.abs(written - 0.5)).toBeLessThan(0.3);
      expect(record.length).toBe(2 * 1024 ** 2);
    },
  );

  it.each<[string, boolean, ChatCompletionChunk[]]>([
    ['nothing arrived', false, []],
    ['only usage arrived', false, [{ ...chunk(), usage }]],
    ['no finish reason arrived', false, [chunk(part({ content: 'a' }))]],
    ['its choice has a finish reason', true, [chunk(part({ content: 'a' })), chunk(part({}, 'stop'))]],
    ['one of two choices has none', false, [chunk(part({}), part({}, null, 1)), chunk(part({}, 'stop', 1))]],
    ['two choices have one', true, [chunk(part({}), part({}, null, 1)), chunk(part({}, 'stop'), part({}, 'stop', 1))]],
    ['text followed the finish reason', true, [chunk(part({}, 'stop')), chunk(part({ content: 'a' }))]],
  ])('the record of an answer if %s, isComplete is %s', (_what, complete, chunks) => {
    expect(recordOf(...chunks).isComplete).toBe(complete);
  });

  it('keeps the first finish reason, the last usage and the time of the first chunk', () => {
    const beganAt = performance.now();
    const record = recordOf(chunk(part({}, 'length')), chunk(part({}, 'stop', 1)), { ...chunk(), usage });
    expect(record).toMatchObject({ finishReason: 'length', usage });
    expect(record.firstTokenMs).toBeGreaterThanOrEqual(50);
    expect(record.firstTokenMs).toBeLessThanOrEqual(Math.ceil(50 + performance.now() - beganAt));
    expect(recordOf().firstTokenMs).toBeNull();
  });

  it('stores a whole completion, which is complete', () => {
    const message = { role: 'assistant' as const, content: 'a', refusal: null };
    const completion: ChatCompletion = {
      ...chunk(),
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
      usage,
    };
    const record = new AnswerRecord({ id: 'a', startedMs: 0, api: 'chat.completions', request: REQUEST }, metrics);
    record.see(completion);
    expect(record).toMatchObject({ completion, usage, finishReason: 'stop', isComplete: true, texts: ['a'] });
  });
});
