import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChunkReader, chunkStream } from '../src/upstreams/contract/chunk.reader.js';
import type { ProviderCall } from '../src/upstreams/contract/provider.adapter.js';
import { UpstreamAccesses } from '../src/upstreams/upstream-access.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import type { Script } from './support/script.js';

type CreateReader = Parameters<typeof chunkStream>[0];
type Emit = Parameters<CreateReader>[1];

/** Values that no adapter should emit. */
const IMPOSSIBLE_CHUNKS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['no choices', { object: 'chat.completion.chunk' }],
  ['a choice that is null', { object: 'chat.completion.chunk', choices: [null] }],
  ['a bigint', { object: 'chat.completion.chunk', choices: [], usage: null, value: 1n }],
  ['a trap', { object: 'chat.completion.chunk', choices: [], toJSON: fail('a trap') }],
];

const THROWN: readonly (readonly [string, unknown])[] = [
  ['an error', new TypeError('fault')],
  ['a text', 'fault'],
  ['nothing', undefined],
  ['a symbol', Symbol('fault')],
  ['a bare object', Object.create(null)],
];

type Place = 'creation' | 'first event' | 'third event' | 'end';

function fail(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

function readerThatThrows(place: Place, thrown: unknown): CreateReader {
  return (call, emit) => {
    if (place === 'creation') throw thrown;
    return new FaultyReader(call, emit, place, fail(thrown));
  };
}

/** Emits a valid chunk for the first event, except at the given place. */
class FaultyReader extends ChunkReader {
  private events = 0;

  constructor(
    call: ProviderCall,
    emit: Emit,
    private readonly place: Place,
    private readonly act: () => void,
  ) {
    super(call, emit);
  }

  read(): boolean {
    const { place, act, events } = this;
    this.events += 1;
    if ((place === 'first event' && events === 0) || (place === 'third event' && events === 2)) act();
    if (events === 0) this.emit({ ...CHUNK, choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] });
    return false;
  }

  protected override end(): void {
    if (this.place === 'end') this.act();
  }
}

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' } as const;

describe('a fault of a chunk reader', () => {
  let chat: ChatTest;
  let accesses: UpstreamAccesses;
  let find: UpstreamAccesses['get'];
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);

  beforeAll(async () => {
    chat = await ChatTest.start();
    accesses = chat.gateway.services.get(UpstreamAccesses);
    find = accesses.get.bind(accesses);
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
  });
  afterAll(async () => {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
  });

  /** The real access to an upstream, with another reader of its answers. */
  function withAdapter(changes: object): void {
    accesses.get = (upstream) => {
      const { adapter, sign } = find(upstream);
      return { sign, adapter: Object.assign(Object.create(adapter), changes) };
    };
  }

  /** The call ends with an error, its row is closed, no exception is uncaught, and the next call is served. */
  async function expectPaused(streamed: boolean, script?: Script): Promise<void> {
    chat.upstream.enqueue(script ?? (streamed ? stream(['a', 'b', 'c']) : completion()));
    const response = await chat.ask({ stream: streamed }, { signal: AbortSignal.timeout(20_000) });
    const text = await response.text().catch(() => '');
    if (response.status === 200) expect(text).not.toContain('[DONE]');
    else expect(text).toMatch(/"code":"(?:internal_error|upstream_incomplete|upstream_error)"/);
    expect(await chat.row(response)).toMatchObject({ status: expect.stringMatching(/^(?:failed|aborted)$/) });
    expect(uncaught.splice(0)).toEqual([]);
    accesses.get = find;
    chat.upstream.enqueue(completion());
    expect((await chat.ask()).status).toBe(200);
  }

  it.each([
    ...(['first event', 'third event'] as const).flatMap((place) =>
      THROWN.map(([what, thrown]) => [what, place, thrown] as const),
    ),
    ['an error', 'creation', new TypeError('fault')] as const,
    ['an error', 'end', new TypeError('fault')] as const,
  ])('a fault of a chunk reader that throws %s at its %s only ends its own call', async (_what, place, thrown) => {
    withAdapter({ fromStream: chunkStream(readerThatThrows(place, thrown)) });
    await expectPaused(true);
  });

  it.each([
    ...(['first event', 'third event'] as const).flatMap((place) =>
      IMPOSSIBLE_CHUNKS.map(([what, chunk]) => [what, place, chunk] as const),
    ),
    ['null', 'end', null] as const,
    ['a bigint', 'end', { object: 'chat.completion.chunk', choices: [], usage: null, value: 1n }] as const,
  ])('a fault of a chunk reader that emits %s at its %s only ends its own call', async (_what, place, chunk) => {
    withAdapter({
      fromStream: chunkStream(
        (call, emit) => new FaultyReader(call, emit, place, () => emit(chunk as Parameters<Emit>[0])),
      ),
    });
    await expectPaused(true);
  });

  it.each(THROWN)(
    'a fault of a chunk reader that throws %s while it reads a whole answer only ends its own call',
    async (_what, thrown) => {
      withAdapter({ fromResponse: fail(thrown) });
      await expectPaused(false);
    },
  );

  it.each(IMPOSSIBLE_CHUNKS.slice(0, 4))(
    'a fault of a chunk reader that returns %s for a whole answer only ends its own call',
    async (_what, value) => {
      withAdapter({ fromResponse: () => value });
      await expectPaused(false);
    },
  );

  it('a fault of a chunk reader that throws while it reads an error of the upstream only ends its own call', async () => {
    withAdapter({ toError: fail(new TypeError('fault')) });
    await expectPaused(true, refusal(500));
  });
});
