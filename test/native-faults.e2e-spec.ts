import { describe, expect, it } from '@jest/globals';
import { eventsIn } from './support/native-checks.js';
import { API_CASES, type ApiCase, eventOf, NativeTest, streamOf, textEvents } from './support/native-test.js';
import { chunk, end, hang, lastChunk, pause, reply, reset, type Script, type Step } from './support/script.js';

const native = await NativeTest.start({
  settings: 'stream: { commitAfter: 100ms, heartbeat: 50ms }\nretry: { attempts: 1 }',
  clocks: '{ idle: 4s }',
});

/** The events before the first text, and that with it. */
function begun(one: ApiCase): string[] {
  const events = textEvents(one);
  return events.slice(0, events.findIndex((event) => /text_delta|output_text\.delta/.test(event)) + 1);
}

const LATE: readonly (readonly [string, Script, string])[] = [
  ['ends before its last event', lastChunk(), 'upstream_incomplete'],
  ['is closed in its middle', end(), 'upstream_error'],
  ['is reset', [pause(20), reset()], 'upstream_error'],
  ['falls silent', hang(), 'upstream_timeout'],
  ['holds malformed JSON', chunk('data: {"type":"secret\n\n'), 'upstream_error'],
];

describe.each(API_CASES)('a native stream of the %s API', (_api, one) => {
  const ask = (script: Script, init: RequestInit = {}) => {
    native.upstream.enqueue(script);
    return native.ask(one, { stream: true }, init);
  };

  it.each(LATE)(
    'a native stream that %s ends with an error event after the earlier events',
    async (_how, rest, code) => {
      const response = await ask(streamOf(begun(one), rest));
      const text = await response.text();
      const events = eventsIn(text);
      expect(events.slice(0, begun(one).length).map(({ event }) => event)).toEqual(
        eventsIn(begun(one).join('')).map(({ event }) => event),
      );
      expect(events.map(({ event }) => event)).toContain('error');
      expect(events.at(-1)?.event).not.toBe(one.lastEvent);
      expect(text).not.toContain('secret');
      expect(await native.row(response)).toMatchObject({ status: 'failed', error_code: code });
    },
  );

  it('a native stream that lacks only its last event is incomplete, even if the model has finished', async () => {
    const response = await ask(streamOf(textEvents(one).slice(0, -1)));
    const events = eventsIn(await response.text());
    expect(events.map(({ event }) => event)).toContain('error');
    expect(await native.row(response)).toMatchObject({ status: 'failed', error_code: 'upstream_incomplete' });
  });

  it.each<[string, Script]>([
    ['a page', reply(200, { 'content-type': 'text/html' }, '<html>secret</html>')],
    ['an empty stream', streamOf([])],
    ['a stream of another API', streamOf(['data: {"choices":[{"delta":{"content":"secret"}}]}\n\n'])],
    ['JSON of another API', reply(200, { 'content-type': 'application/json' }, '{"secret":1}')],
  ])('a native stream whose upstream sends %s is an error', async (_what, script) => {
    const response = await ask(script);
    const text = await response.text();
    expect(text).not.toContain('secret');
    if (response.status === 200) expect(eventsIn(text).map(({ event }) => event)).toContain('error');
    else expect(response.status).toBe(502);
    expect(await native.row(response)).toMatchObject({ status: 'failed' });
  });

  it('gets heartbeats while the upstream is silent, and each event immediately', async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const events = textEvents(one);
    const wait: Step = () => promise;
    const response = await ask(
      streamOf(begun(one), [wait, ...events.slice(begun(one).length).map((event) => chunk(event)), lastChunk()]),
    );
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = async (until: RegExp) => {
      while (!until.test(text)) text += (await reader?.read())?.value ?? '';
    };
    await read(/text_delta|output_text\.delta/);
    const before = text.length;
    await read(new RegExp(`^[^]{${before},}(?:: ping|event: ping)`));
    go();
    await read(new RegExp(one.lastEvent.replace('.', '\\.')));
    await reader?.cancel();
    expect(text.startsWith(`event: ${one.api === 'messages' ? 'message_start' : 'response.created'}`)).toBe(true);
  });

  it('ends its upstream request when its client disconnects, and is charged for the received part', async () => {
    const client = new AbortController();
    const response = await ask(streamOf(begun(one), hang()), { signal: client.signal });
    const request = native.sent;
    await response.body?.getReader().read();
    client.abort();
    await request.aborted;
    const row = await native.row(response);
    expect(row).toMatchObject({ status: 'aborted', error_code: 'client_closed' });
    expect(Number(row.output_tokens)).toBeGreaterThan(0);
  });
});

it('a native stream that counted its answer and then fails is charged that', async () => {
  const one = API_CASES.find(([api]) => api === 'messages')?.[1] as ApiCase;
  const usage = { input_tokens: 500, output_tokens: 1 };
  const events = [
    eventOf('message_start', { message: { id: 'a', type: 'message', role: 'assistant', content: [], usage } }),
    eventOf('content_block_start', { index: 0, content_block: { type: 'text', text: 'Hi' } }),
    eventOf('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 900 } }),
  ];
  const error = eventOf('error', { error: { type: 'api_error', message: 'Oh.' } });
  for (const script of [streamOf(events), streamOf([...events, error]), streamOf(events, [pause(20), reset()])]) {
    native.upstream.enqueue(script);
    const response = await native.ask(one, { model: 'claude-priced', stream: true });
    await response.text();
    const row = await native.row(response);
    expect(row).toMatchObject({ status: 'failed', token_source: 'reported', cost_nanodollars: '9500000' });
  }
});
