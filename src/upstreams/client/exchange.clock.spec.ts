import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, mergeMap, tap } from 'rxjs';
import { eventually } from '../../../test/support/eventually.js';
import { LostTime } from '../../../test/support/lost-time.js';
import { outbound, textOf } from '../../../test/support/outbound.js';
import { bytes, chunk, flood, hang, head, lastChunk, pause, type Script, sse } from '../../../test/support/script.js';
import { ScriptedUpstream } from '../../../test/support/scripted-upstream.js';
import type { Clocks } from '../../config/upstreams.settings.js';
import type { UpstreamResponse } from '../contract/upstream.types.js';
import { UpstreamClient } from './upstream.client.js';

describe('ExchangeClock', () => {
  let upstream: ScriptedUpstream;
  let client: UpstreamClient;

  beforeEach(async () => {
    upstream = await ScriptedUpstream.start();
    client = new UpstreamClient();
  });

  afterEach(async () => {
    await client.onApplicationShutdown();
    await upstream.close();
  });

  const streaming = (...script: Script[]): Script => [head(200, { 'transfer-encoding': 'chunked' }), ...script];

  interface Call {
    clocks: Partial<Clocks>;
    streamed?: boolean;
    url?: string;
    deadline?: number;
    /** Called for each piece of the body. */
    onPiece?: (response: UpstreamResponse) => void;
  }

  interface Failure {
    ms: number;
    /** The part of `ms` during which this process was not scheduled. */
    lost: number;
    clock: unknown;
  }

  /** The ms until a call fails, and the clock that expired. */
  async function failureOf({ url = upstream.url, onPiece, ...request }: Call): Promise<Failure> {
    const startedAt = performance.now();
    const lost = new LostTime();
    const read$ = client
      .send(outbound(url, request))
      .pipe(mergeMap((response) => response.body.pipe(tap(() => onPiece?.(response)))));
    const error = await lastValueFrom(read$).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ failure: { status: 504 }, body: { code: 'upstream_timeout' } });
    const ms = performance.now() - startedAt;
    return { ms, lost: lost.stop(), clock: ((error as Error).cause as { code: string }).code };
  }

  const seeEvents = ({ eventSeen }: UpstreamResponse): void => eventSeen();

  function expectAround({ ms, lost }: Failure, expected: number): void {
    expect(ms).toBeGreaterThan(expected - 5);
    expect(ms).toBeLessThan(expected + 200 + lost);
  }

  it('fails when the connection takes too long', async () => {
    const failure = await failureOf({ clocks: { connect: 100 }, url: upstream.url.replace('http:', 'https:') });
    expect(failure.clock).toBe('connect');
    expectAround(failure, 100);
    await eventually(() => upstream.openConnections === 0);
  });

  it('fails when the head takes too long, even if it trickles in', async () => {
    upstream.always(() => [bytes('HTTP/1.1 200 OK\r\n'), pause(60), bytes('x-a: 1\r\n'), hang()]);
    const failure = await failureOf({ clocks: { head: 100 } });
    expect(failure.clock).toBe('head');
    expectAround(failure, 100);
    await upstream.requests[0]?.aborted;
  });

  it('fails when the first event takes too long, counted from the request, even if other data arrives', async () => {
    upstream.always(() => [
      pause(60),
      streaming(...Array.from({ length: 20 }, () => [chunk(': ping\n\n'), pause(50)])),
    ]);
    const failure = await failureOf({ clocks: { firstEvent: 600, idle: 30 } });
    expect(failure.clock).toBe('firstEvent');
    expectAround(failure, 600);
    await upstream.requests[0]?.aborted;
  });

  it('counts the first event from the request, even before the head arrives', async () => {
    upstream.always(hang);
    expectAround(await failureOf({ clocks: { firstEvent: 100 } }), 100);
  });

  it('runs the idle clock from the first event on, reset by any byte', async () => {
    upstream.always(() =>
      streaming(chunk('data: 1\n\n'), pause(500), chunk(': ping\n\n'), pause(500), chunk(': ping\n\n'), hang()),
    );
    const failure = await failureOf({ clocks: { idle: 1200, firstEvent: 800 }, onPiece: seeEvents });
    expect(failure.clock).toBe('idle');
    expectAround(failure, 2200);
    await upstream.requests[0]?.aborted;
  });

  it('measures idle time between the pieces of an unstreamed answer', async () => {
    upstream.always(() => [head(200, { 'content-length': '9' }), bytes('abc'), pause(500), bytes('def'), hang()]);
    const failure = await failureOf({ clocks: { idle: 1200, firstEvent: 200 }, streamed: false });
    expect(failure.clock).toBe('idle');
    expectAround(failure, 1700);
  });

  it('measures idle time in the body of an error, even for a streamed request', async () => {
    upstream.always(() => [head(500, { 'content-length': '9' }), bytes('abc'), hang()]);
    const failure = await failureOf({ clocks: { idle: 100 } });
    expect(failure.clock).toBe('idle');
    expectAround(failure, 100);
  });

  it('fails a call at its deadline, even if data is arriving', async () => {
    upstream.always(() => streaming(...Array.from({ length: 50 }, () => [chunk('data: 1\n\n'), pause(10)])));
    const failure = await failureOf({ clocks: {}, deadline: performance.now() + 120, onPiece: seeEvents });
    expect(failure.clock).toBe('total');
    expectAround(failure, 120);
    await upstream.requests[0]?.aborted;
  });

  it('sends nothing once the deadline has passed', async () => {
    const failure = await failureOf({ clocks: {}, deadline: performance.now() - 1 });
    expect(failure.clock).toBe('total');
    expectAround(failure, 0);
    expect(upstream.connections).toBe(0);
  });

  it('pauses while the reader has paused the flow', async () => {
    const total = 8 * 1024 * 1024;
    upstream.always(() => [head(200, { 'content-length': String(total) }), flood(total)]);
    let pauses = 0;
    const read$ = client.send(outbound(upstream.url, { clocks: { idle: 1500 }, streamed: false })).pipe(
      mergeMap(({ body, flow }) =>
        body.pipe(
          tap(() => {
            if (pauses++ > 0) return;
            flow.pause();
            setTimeout(() => flow.resume(), 2500);
          }),
        ),
      ),
    );
    await expect(lastValueFrom(read$)).resolves.toBeDefined();
  });

  it('continues after a pause with the remaining time', async () => {
    upstream.always(() => streaming(chunk('data: 1\n\n'), hang()));
    const failure = await failureOf({
      clocks: { idle: 1000 },
      onPiece: ({ eventSeen, flow }) => {
        eventSeen();
        setTimeout(() => flow.pause(), 100);
        setTimeout(() => flow.resume(), 600);
      },
    });
    expect(failure.clock).toBe('idle');
    // The pause may begin late.
    expect(failure.ms).toBeGreaterThan(1490 - failure.lost);
    expect(failure.ms).toBeLessThan(1700 + failure.lost);
  });

  it('still fails a paused call at its deadline', async () => {
    upstream.always(() => streaming(chunk('data: 1\n\n'), hang()));
    const failure = await failureOf({
      clocks: { idle: 50 },
      deadline: performance.now() + 150,
      onPiece: ({ flow }) => flow.pause(),
    });
    expect(failure.clock).toBe('total');
    expectAround(failure, 150);
  });

  it('lets an answer within all limits pass', async () => {
    upstream.always(() => sse([pause(40), { n: 1 }, pause(40), { n: 2 }]));
    const clocks = { connect: 5000, head: 5000, firstEvent: 5000, idle: 5000, total: 20_000 };
    expect(await textOf(client.send(outbound(upstream.url, { clocks })))).toContain('[DONE]');
  });

  it('leaves no timer behind, even if an event arrives after the end', async () => {
    upstream.always(() => sse([{ n: 1 }]));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const responses: UpstreamResponse[] = [];
    await textOf(client.send(outbound(upstream.url, { clocks: { idle: 10 } })).pipe(tap((one) => responses.push(one))));
    const [response] = responses;
    response?.eventSeen();
    response?.flow.pause();
    response?.flow.resume();
    expect(timers()).toBe(before);
  });

  it('fails a body that does not end after its last chunk', async () => {
    upstream.enqueue(streaming(chunk('data: 1\n\n'), hang())).always(() => streaming(chunk('x'), lastChunk()));
    expect((await failureOf({ clocks: { idle: 60 }, onPiece: seeEvents })).clock).toBe('idle');
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('x');
  });
});
