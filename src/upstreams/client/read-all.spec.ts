import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, mergeMap } from 'rxjs';
import { outbound } from '../../../test/support/outbound.js';
import { bytes, chunk, end, hang, head, lastChunk, pause, reply } from '../../../test/support/script.js';
import { ScriptedUpstream } from '../../../test/support/scripted-upstream.js';
import { DeferredFlow, readAll } from './read-all.js';
import { UpstreamClient } from './upstream.client.js';

describe('whole bodies', () => {
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

  const readStart: typeof readAll = (body, limit, read) => readAll(body, limit, read, 'cut');
  const read = async (reader: typeof readAll, limit: number): Promise<string> => {
    const body$ = client.send(outbound(upstream.url)).pipe(mergeMap(({ body }) => reader(body, limit, (all) => all)));
    return (await lastValueFrom(body$)).toString();
  };
  const inPieces = () => [
    head(200, { 'transfer-encoding': 'chunked' }),
    ...['ab', 'cd', 'ef'].map((piece) => [chunk(piece), pause(5)]),
  ];

  it.each([readAll, readStart])('%p joins the pieces of a body', async (reader) => {
    upstream.always(() => [inPieces(), lastChunk()]);
    expect(await read(reader, 6)).toBe('abcdef');
  });

  it.each([readAll, readStart])('%p returns an empty buffer for an empty body', async (reader) => {
    upstream.always(() => reply(200));
    expect(await read(reader, 6)).toBe('');
  });

  it.each([readAll, readStart])('%p fails if the body is truncated', async (reader) => {
    upstream.always(() => [inPieces(), end()]);
    await expect(read(reader, 100)).rejects.toMatchObject({ failure: { status: 502 } });
  });

  it('readAll fails with status 502 for a body over the limit, and stops reading', async () => {
    upstream.always(() => [inPieces(), hang()]);
    await expect(read(readAll, 3)).rejects.toMatchObject({ failure: { status: 502 } });
    await upstream.requests[0]?.aborted;
  });

  it('readStart returns the start of a body over the limit, and stops reading', async () => {
    upstream.always(() => [inPieces(), bytes('x'), hang()]);
    expect(await read(readStart, 3)).toBe('abc');
    await upstream.requests[0]?.aborted;
  });
});

it('a response is read once neither its reader nor its queue pauses it, and the time until then counts once', async () => {
  const flow = new DeferredFlow();
  const calls: string[] = [];
  flow.follow({ pause: () => calls.push('pause'), resume: () => calls.push('resume') });
  const begunAt = performance.now();
  flow.queue.pause();
  flow.pause();
  await sleep(50);
  flow.resume();
  expect(calls).not.toContain('resume');
  flow.queue.resume();
  expect(calls.at(-1)).toBe('resume');
  expect(flow.pausedMs).toBeGreaterThan(40);
  expect(flow.pausedMs).toBeLessThanOrEqual(performance.now() - begunAt);
});
