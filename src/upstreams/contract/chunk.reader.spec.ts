import { describe, expect, it } from '@jest/globals';
import { concat, from, lastValueFrom, type Observable, of, throwError, toArray } from 'rxjs';
import { brokenPromises } from '../../../test/support/client-answer.js';
import { providerCall } from '../../../test/support/provider-call.js';
import type { ChatCompletionChunk } from './chat.types.js';
import { chunkOf, chunkStream, completionOf, SingleChoiceReader } from './chunk.reader.js';
import type { UpstreamEvent } from './provider.adapter.js';

const call = providerCall({ stream: true });
const USAGE = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };

class WordReader extends SingleChoiceReader {
  private index = 0;

  read({ event, data }: UpstreamEvent): boolean {
    if (event === 'text') this.emitDelta({ content: data });
    if (event === 'thought') this.emitReasoning(data);
    if (event === 'call') this.index = this.beginCall(data, 'look', {});
    if (event === 'arguments') this.emitArguments(this.index, data);
    if (event === 'usage') this.usage = { ...USAGE };
    if (event === 'stop') this.emitDelta({}, 'stop');
    return event === 'end';
  }
}

const fromStream = chunkStream((call, emit) => new WordReader(call, emit));

function events(script: string): Observable<UpstreamEvent> {
  const words = script.split(' ').map((word) => word.split(':'));
  return from(words.map(([event = '', data = '']) => ({ event, data })));
}

function chunksOf(script: string): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(events(script).pipe(fromStream(call), toArray()));
}

describe('the chunks of every reader', () => {
  it.each([
    ['a text', 'text:a text:b stop usage end'],
    ['usage before the end', 'usage text:a usage stop usage end'],
    ['two finish reasons', 'text:a stop stop end'],
    ['a finish reason alone', 'stop end'],
    ['thoughts and calls', 'thought:hm thought: call:1 arguments:{} call:2 arguments:{} stop usage end'],
    ['no end', 'text:a usage'],
  ])('keep each guarantee: %s', async (_what, script) => {
    const chunks = await chunksOf(script);
    expect(brokenPromises(chunks, call)).toEqual([]);
    expect(chunks.filter(({ choices }) => choices.some(({ delta }) => delta.role === 'assistant')).length).toBe(1);
    expect(chunks.filter(({ choices }) => choices.some((choice) => choice.finish_reason !== null)).length).toBe(
      script.includes('stop') ? 1 : 0,
    );
    expect(chunks.filter(({ usage }) => usage)).toEqual(script.includes('usage') ? [chunks.at(-1)] : []);
  });

  it('have no usage that was reported before the last output', async () => {
    const chunks = await chunksOf('text:a usage text:b stop end');
    expect(chunks.filter(({ usage }) => usage)).toEqual([]);
    expect(chunks).toHaveLength(3);
  });

  it('exclude everything after the end marker', async () => {
    expect(await chunksOf('text:a stop usage end text:b usage end')).toEqual(await chunksOf('text:a stop usage end'));
  });

  it('count tool calls from 0, and send ids and names once', async () => {
    const chunks = await chunksOf('call:1 arguments:{ arguments:} call:2 arguments:{} stop end');
    const reported = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(reported).toEqual([
      { index: 0, id: '1', type: 'function', function: { name: 'look', arguments: '' } },
      { index: 0, function: { arguments: '{' } },
      { index: 0, function: { arguments: '}' } },
      { index: 1, id: '2', type: 'function', function: { name: 'look', arguments: '' } },
      { index: 1, function: { arguments: '{}' } },
    ]);
  });

  it('the chunks of every reader of a stream that fails have no usage, and are followed by the error', async () => {
    const reported: unknown[] = [];
    const failing = concat(
      events('text:a usage'),
      throwError(() => new Error('gone')),
    );
    await new Promise<void>((resolve) => {
      failing.pipe(fromStream(call)).subscribe({
        next: (chunk) => reported.push(chunk),
        error: (error) => resolve(void reported.push(error.message)),
      });
    });
    expect(reported).toMatchObject([{ choices: [{ delta: { content: 'a' } }] }, 'gone']);
  });

  it('come from one reader for each subscription', async () => {
    const chunks = of({ event: 'text', data: 'a' }).pipe(fromStream(call));
    const [first, second] = [await lastValueFrom(chunks), await lastValueFrom(chunks)];
    expect(second).toEqual(first);
    expect(first.choices[0]?.delta.role).toBe('assistant');
  });
});

it('streams and whole answers have the id, time and public model of their call', () => {
  const { id, created, model } = call;
  expect(chunkOf(call, [])).toEqual({ id, object: 'chat.completion.chunk', created, model, choices: [] });
  expect(completionOf(call, [])).toEqual({ id, object: 'chat.completion', created, model, choices: [] });
  expect(completionOf(call, [], USAGE).usage).toEqual(USAGE);
});
