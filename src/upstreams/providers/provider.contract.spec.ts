import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { providerCall } from '../../../test/support/provider-call.js';
import {
  cutsOf,
  type Recording,
  readRecording,
  recordingFiles,
  singleBytes,
} from '../../../test/support/recordings.js';
import { createWorkFolder } from '../../../test/support/test-settings.js';
import { brokenPromises, toldInCompletion, toldInStream } from '../../../test/support/told-answer.js';
import type { UpstreamReader } from '../../../test/support/upstream-reader.js';
import { readerOf } from '../../../test/support/upstream-readers.js';
import { loadSettings } from '../../config/settings.js';
import type { ChatCompletionChunk, ChatCompletionRequest } from '../contract/chat.types.js';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { framed } from '../framing/framing.js';
import { type ListedAdapter, PROVIDERS } from './providers.js';

/** Which fixtures show a scenario, or why the API has none. */
type FixtureIndex = Record<string, string[] | { absent: string }>;

const ANSWERS = ['text', 'tools', 'parallel-tools', 'functions', 'images', 'reasoning', 'json-schema'] as const;
const ERRORS = ['error-400', 'error-401', 'error-404', 'error-429', 'error-5xx'] as const;
const SCENARIOS = [...ANSWERS, ...ERRORS, 'error-mid-stream'] as const;

const here = fileURLToPath(new URL('.', import.meta.url));
const sharedFolder = join(here, '../../../../shared/fixtures');
const call = providerCall({ stream: true });
let recordingsRun = 0;

describe.each(PROVIDERS.map((adapter) => [adapter.protocol, adapter] as const))('%s', (protocol, adapter) => {
  const folder = join(here, protocol, 'fixtures');
  const reader = readerOf(protocol);
  const index: FixtureIndex = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));

  function fixtures(scenario: string): Recording[] {
    const files = index[scenario];
    return Array.isArray(files) ? files.map((file) => readRecording(folder, file)) : [];
  }

  it('may be named by an upstream of upstreams.yaml, which then gets its credential in its way', async () => {
    const upstream = `one: { protocol: ${protocol}, baseUrl: "https://api.example.com" }`;
    const configuration = await createWorkFolder({ 'upstreams.yaml': upstream, 'models.yaml': '[]' });
    const { upstreams } = loadSettings(configuration.variables, PROVIDERS, configuration.path);
    await configuration.remove();
    expect(upstreams.get('one')).toMatchObject({ protocol, scheme: adapter.auth });
  });

  it('shows every scenario by a fixture, or says why it has none', () => {
    for (const scenario of SCENARIOS) {
      const entry = index[scenario] ?? [];
      expect([scenario, Array.isArray(entry) ? entry.length : entry.absent.length]).not.toEqual([scenario, 0]);
    }
    expect(Object.keys(index).filter((scenario) => !SCENARIOS.some((known) => known === scenario))).toEqual([]);
  });

  for (const scenario of ANSWERS) {
    for (const recording of fixtures(scenario)) {
      it(`${scenario}: ${recording.file} reaches the client whole`, async () => {
        await expectFaithful(adapter, reader, recording);
        expectShown(scenario, reader, recording);
      });
    }
  }

  for (const scenario of ERRORS) {
    for (const recording of fixtures(scenario)) {
      it(`${scenario}: ${recording.file} becomes the right status`, () => expectRefusal(adapter, recording, scenario));
    }
  }

  for (const recording of fixtures('error-mid-stream')) {
    it(`error-mid-stream: ${recording.file} is thrown after what came before it`, async () => {
      await expectFailure(adapter, reader, recording);
    });
  }

  const streams = [...fixtures('text'), ...fixtures('tools')].filter(({ stream }) => stream !== null);

  it('is shown by a stream and by a whole answer', () => {
    expect(streams.length).toBeGreaterThan(0);
    expect(fixtures('text').some(({ stream }) => stream === null)).toBe(true);
  });

  it.each(streams.map((recording) => [recording.file, recording] as const))(
    '%s: a stream that breaks off has no finish reason, and nothing that the upstream did not send',
    async (_file, recording) => {
      const whole = toldInStream(await replay(adapter, [bytesOf(recording)])).choices[0];
      const cut = bytesOf(recording).subarray(0, offsetBeforeFinish(recording, reader));
      const chunks = await replay(adapter, [cut]);
      const told = toldInStream(chunks).choices[0];
      expect(told?.finish).toBeNull();
      expect(whole?.content.startsWith(told?.content ?? '')).toBe(true);
      expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    },
  );

  it.each(streams.map((recording) => [recording.file, recording] as const))(
    '%s: unknown events, comments and fields change nothing',
    async (_file, recording) => {
      const strewn = (reader.strewn ?? strewnWithEvents)(recording.stream ?? '');
      expect(strewn.length).toBeGreaterThan(recording.stream?.length ?? 0);
      expect(await replay(adapter, [Buffer.from(strewn, recording.encoding)])).toEqual(
        await replay(adapter, [bytesOf(recording)]),
      );
    },
  );

  it('forwards an image as it came', () => {
    if (!Array.isArray(index.images)) return;
    const part = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'A'.repeat(64)}` } };
    const request: ChatCompletionRequest = { model: 'public', messages: [{ role: 'user', content: [part] }] };
    const { body } = adapter.toRequest(providerCall(request));
    expect(JSON.stringify(body)).toContain('A'.repeat(64));
    expect(JSON.stringify(body)).toMatch(/data:image\/png;base64,A|"image\/png"|"png"/);
  });

  it('takes every recorded request, asks for the upstream model, and changes nothing that the caller sent', () => {
    for (const { request } of SCENARIOS.flatMap(fixtures)) {
      if (request === null || !reader.speaksOpenAi) continue;
      const given = deepFreeze(structuredClone(request)) as unknown as ChatCompletionRequest;
      const { body, path, method } = adapter.toRequest(providerCall(given));
      expect({ method, path }).toEqual({ method: 'POST', path: expect.stringMatching(/^\//) });
      expect(JSON.stringify(body)).toContain(call.upstreamModel);
      expect(JSON.parse(JSON.stringify(body))).toEqual(body);
    }
  });

  const folders = (reader.folders ?? [protocol]).map((name) => join(sharedFolder, name));
  const shared = folders.flatMap((from) => recordingFiles(from).map((file) => readRecording(from, file)));

  for (const recording of shared.filter(reader.isChat)) {
    it(`recording: ${recording.file}`, async () => {
      recordingsRun += 1;
      if (recording.status >= 400) expectRefusal(adapter, recording, `error-${recording.status}`);
      else if (recording.stream !== null && reader.streamError(recording.stream)) {
        await expectFailure(adapter, reader, recording);
      } else await expectFaithful(adapter, reader, recording);
    });
  }
});

afterAll(() => {
  process.stdout.write(`${recordingsRun} recordings of ../shared/fixtures were replayed.\n`);
});

/** The answer comes out valid by the schema, keeps the promises, and says what the upstream said. */
async function expectFaithful(adapter: ListedAdapter, reader: UpstreamReader, recording: Recording): Promise<void> {
  const expected = reader.answer(recording);
  if (recording.stream === null) {
    const completion = adapter.fromResponse(structuredClone(recording.body), call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(toldInCompletion(completion)).toEqual(expected);
    return;
  }
  const bytes = bytesOf(recording);
  const chunks = await replay(adapter, [bytes]);
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, call)).toEqual([]);
  expect(toldInStream(chunks)).toEqual(expected);
  expect(await replay(adapter, singleBytes(bytes))).toEqual(chunks);
  // An adapter sees events alone: a cut that gives the same ones gives the same chunks.
  const events = await eventsOf(adapter, [bytes]);
  for (const pieces of cutsOf(bytes)) {
    if (!isDeepStrictEqual(await eventsOf(adapter, pieces), events)) expect(pieces.map(String)).toBe('cut elsewhere');
  }
}

/** The fixture really shows what its scenario is about. */
function expectShown(scenario: (typeof ANSWERS)[number], reader: UpstreamReader, recording: Recording): void {
  const answer = reader.answer(recording);
  const choice = answer.choices[0];
  const request = JSON.stringify(recording.request);
  if (scenario === 'text') expect(`${choice?.content}${choice?.refusal}`).not.toBe('');
  if (scenario === 'tools') expect(choice?.toolCalls.length).toBeGreaterThan(0);
  if (scenario === 'parallel-tools') expect(choice?.toolCalls.length).toBeGreaterThan(1);
  if (scenario === 'functions') expect(choice?.functionCall?.name).toBeTruthy();
  if (scenario === 'images') expect(request).toContain(reader.imageMark);
  if (scenario === 'reasoning') expect(choice?.reasoning || answer.usage?.reasoning).toBeTruthy();
  if (scenario === 'json-schema') {
    expect(request).toMatch(/json_?schema/i);
    expect(JSON.parse(choice?.content ?? '')).toBeInstanceOf(Object);
  }
}

/** The caller's status for an upstream's, from the table of what the gateway promises. */
const CALLERS_STATUS: Readonly<Record<number, number>> = {
  400: 400,
  401: 502,
  402: 502,
  403: 502,
  404: 502,
  422: 400,
  429: 429,
  500: 502,
  502: 502,
  503: 503,
  529: 503,
};

function expectRefusal(adapter: ListedAdapter, { status, headers, body }: Recording, scenario: string): void {
  const error = adapter.toError(status, headers, body, call);
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error.status).toBe(scenario === 'error-401' ? 502 : CALLERS_STATUS[status]);
  expect(schemaFaults('error', { error: error.body })).toEqual([]);
  expect(error.body.message).not.toMatch(/<|\*\*|\bsk-|org[-_]/);
  if (error.status === 429) expect(Number(error.headers['retry-after'])).toBeGreaterThan(1);
  if (error.status === 502 && error.failure.status < 500) expect(error.headers['x-should-retry']).toBe('false');
}

/** The chunks before the error are valid, and the error is thrown as the upstream's. */
async function expectFailure(adapter: ListedAdapter, reader: UpstreamReader, recording: Recording): Promise<void> {
  const chunks: ChatCompletionChunk[] = [];
  const failure = new Promise((resolve, reject) => {
    from([bytesOf(recording)])
      .pipe(framed(adapter.framing), adapter.fromStream(call))
      .subscribe({
        next: (chunk) => chunks.push(chunk),
        error: resolve,
        complete: () => reject(new Error('no error')),
      });
  });
  expect(await failure).toBeInstanceOf(UpstreamError);
  expect(chunks.length).toBeGreaterThan(0);
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, call)).toEqual([]);
  const told = toldInStream(chunks).choices[0];
  const sent = reader.answer(recording).choices[0];
  expect(told).toEqual({ ...sent, finish: null });
}

function replay(adapter: ListedAdapter, pieces: readonly Buffer[]): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from(pieces).pipe(framed(adapter.framing), adapter.fromStream(call), toArray()));
}

function eventsOf(adapter: ListedAdapter, pieces: readonly Buffer[]): Promise<UpstreamEvent[]> {
  return lastValueFrom(from(pieces).pipe(framed(adapter.framing), toArray()));
}

function bytesOf({ stream, encoding }: Recording): Buffer {
  return Buffer.from(stream ?? '', encoding);
}

/** Server-sent events, comments and fields that nobody knows before each event of a stream. */
function strewnWithEvents(stream: string): string {
  const strange =
    ': keep-alive\r\n\r\nevent: provider.ping\ndata: {"type":"ping"}\n\nevent: note\ndata: not JSON\n\n' +
    'id: 7\nretry: 10\n\ndata: {"object":"unheard.of","x":{}}\n\ndata:\n\ndata: null\n\n';
  const strewn = stream.replaceAll(/(?<=\n\n|\r\n\r\n)(?=(?:event|data):)/g, strange);
  expect(strewn).not.toBe(stream);
  return strange + strewn;
}

/** Where the first event with a finish reason begins. */
function offsetBeforeFinish({ stream }: Recording, reader: UpstreamReader): number {
  const text = stream ?? '';
  if (reader.offsetBeforeFinish) return reader.offsetBeforeFinish(text);
  const finish = text.search(reader.finishMark);
  return Buffer.byteLength(text.slice(0, text.lastIndexOf('data:', finish)));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
