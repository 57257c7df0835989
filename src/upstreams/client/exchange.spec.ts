import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  firstValueFrom,
  lastValueFrom,
  map,
  mergeMap,
  Observable,
  reduce,
  retry,
  switchMap,
  takeWhile,
  tap,
} from 'rxjs';
import { eventually } from '../../../test/support/eventually.js';
import { LostTime } from '../../../test/support/lost-time.js';
import { outbound, textOf } from '../../../test/support/outbound.js';
import {
  bytes,
  chunk,
  flood,
  hang,
  head,
  lastChunk,
  pause,
  reply,
  reset,
  type Script,
} from '../../../test/support/script.js';
import { ScriptedUpstream } from '../../../test/support/scripted-upstream.js';
import { CONNECTION_BYTES } from '../../../test/support/system-buffers.js';
import type { UpstreamResponse } from '../contract/upstream.types.js';
import { UpstreamClient } from './upstream.client.js';

const MEGABYTE = 1024 * 1024;

describe('Exchange', () => {
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

  /** The ms until the upstream sees the disconnect, without time in which this process was not scheduled. */
  async function msUntilAborted(): Promise<number> {
    const [startedAt, lost] = [performance.now(), new LostTime()];
    const request = await upstream.received(1);
    await request.aborted;
    return performance.now() - startedAt - lost.stop();
  }

  describe('is aborted within a second of unsubscribing', () => {
    it('is aborted within a second of unsubscribing while connecting', async () => {
      // A server without TLS never answers a handshake.
      const call = client.send(outbound(upstream.url.replace('http:', 'https:'))).subscribe();
      while (upstream.openConnections === 0) await delay(1);
      call.unsubscribe();
      await eventually(() => upstream.openConnections === 0, 1000);
    });

    it('is aborted within a second of unsubscribing while waiting for the head', async () => {
      upstream.always(hang);
      const call = client.send(outbound(upstream.url)).subscribe();
      await upstream.received();
      call.unsubscribe();
      expect(await msUntilAborted()).toBeLessThan(1000);
    });

    it('is aborted within a second of unsubscribing in the body', async () => {
      upstream.always(() => streaming(chunk('a'), hang()));
      const { promise, resolve } = Promise.withResolvers<void>();
      const call = client
        .send(outbound(upstream.url))
        .pipe(switchMap(({ body }) => body))
        .subscribe(() => resolve());
      await promise;
      call.unsubscribe();
      expect(await msUntilAborted()).toBeLessThan(1000);
    });

    it('is aborted within a second of unsubscribing in the body, by a subscriber that unsubscribes while it receives a piece', async () => {
      upstream.always(() => streaming(chunk('a'), hang()));
      await firstValueFrom(client.send(outbound(upstream.url)).pipe(mergeMap(({ body }) => body)));
      expect(await msUntilAborted()).toBeLessThan(1000);
    });

    it('is aborted within a second of unsubscribing in the body, by a subscriber that unsubscribes long before the end: the rest is not read', async () => {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const whole = CONNECTION_BYTES + 256 * MEGABYTE;
      let sent = 0;
      const pour: Script = async (wire) => {
        for (; sent < whole && !wire.gone; sent += piece.length) await wire.write(piece);
      };
      upstream.always(() => [head(200, { 'content-length': String(whole) }), pour]);
      await firstValueFrom(client.send(outbound(upstream.url)).pipe(mergeMap(({ body }) => body)));
      await msUntilAborted();
      expect(sent).toBeLessThan(CONNECTION_BYTES + 8 * MEGABYTE);
    });

    it('is aborted within a second of unsubscribing while it is paused', async () => {
      upstream.always(() => streaming(chunk('a'), flood(64 * MEGABYTE)));
      const { promise, resolve } = Promise.withResolvers<void>();
      const call = client
        .send(outbound(upstream.url))
        .pipe(switchMap(({ body, flow }) => body.pipe(tap(() => flow.pause()))))
        .subscribe(() => resolve());
      await promise;
      call.unsubscribe();
      expect(await msUntilAborted()).toBeLessThan(1000);
    });
  });

  it('is aborted if nobody subscribes to the body', async () => {
    upstream.always(() => streaming(chunk('a'), hang()));
    const { body } = await firstValueFrom(client.send(outbound(upstream.url)));
    expect(await msUntilAborted()).toBeLessThan(1000);
    await expect(lastValueFrom(body)).rejects.toThrow('Subscribe to an upstream body once');
  });

  it('lets its body be read only once', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    const read$ = client.send(outbound(upstream.url)).pipe(
      mergeMap(({ body }) => {
        body.subscribe();
        return body;
      }),
    );
    await expect(lastValueFrom(read$)).rejects.toThrow('Subscribe to an upstream body once');
  });

  it('sends nothing if unsubscribed before it is connected, and does not affect the next call', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    client.send(outbound(upstream.url)).subscribe().unsubscribe();
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('ok');
    expect(upstream.requests).toHaveLength(1);
  });

  it('sends nothing if unsubscribed before it writes to a kept connection', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    await textOf(client.send(outbound(upstream.url)));
    client.send(outbound(upstream.url)).subscribe().unsubscribe();
    await delay(20);
    expect(upstream.requests).toHaveLength(1);
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('ok');
  });

  it('keeps the connection if the body ends shortly after it was unsubscribed', async () => {
    let ended = Promise.withResolvers<void>();
    upstream.always(() => [streaming(chunk('data: [DONE]\n\n'), pause(10), lastChunk()), () => ended.resolve()]);
    const call = async () => {
      ended = Promise.withResolvers();
      const events$ = client.send(outbound(upstream.url)).pipe(
        mergeMap(({ body }) => body),
        takeWhile((piece) => !piece.includes('[DONE]')),
      );
      await lastValueFrom(events$, { defaultValue: null });
      await ended.promise;
      await delay(40);
    };
    await call();
    // If this process is not scheduled in time, the body ends too late and the next call uses a new connection.
    await eventually(async () => {
      const { connections } = upstream;
      await call();
      return upstream.connections === connections;
    });
  });

  it('retains no buffer that was read with the head', async () => {
    upstream.enqueue([bytes(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n`), hang()]);
    let read: WeakRef<ArrayBufferLike> | undefined;
    const body$ = client.send(outbound(upstream.url)).pipe(mergeMap(({ body }) => body));
    const call = body$.subscribe((piece) => {
      read = new WeakRef(piece.buffer);
    });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await eventually(() => {
      collect();
      return read !== undefined && read.deref() === undefined;
    });
    expect(call.closed).toBe(false);
    call.unsubscribe();
  });

  it('creates a new exchange for each subscriber, so that it can be retried', async () => {
    upstream
      .enqueue(reset())
      .enqueue(streaming(chunk('a'), pause(5), reset()))
      .always(() => reply(200, {}, 'ok'));
    const text$ = client.send(outbound(upstream.url)).pipe(
      mergeMap(({ body }) => body),
      retry(2),
    );
    const pieces: string[] = [];
    await lastValueFrom(text$.pipe(tap((piece) => pieces.push(piece.toString()))));
    expect(pieces).toEqual(['a', 'ok']);
  });

  it('reads nothing while paused, and buffers at most the data in transit', async () => {
    const pieces = Math.ceil(CONNECTION_BYTES / MEGABYTE) + 32;
    const total = pieces * MEGABYTE;
    let written = 0;
    const piece = Buffer.alloc(MEGABYTE);
    upstream.always(() => [
      head(200, { 'content-length': String(total) }),
      ...Array.from({ length: pieces }, () => [
        bytes(piece),
        () => {
          written += piece.length;
        },
      ]),
    ]);
    let received = 0;
    const responses: UpstreamResponse[] = [];
    const done = lastValueFrom(
      client.send(outbound(upstream.url)).pipe(
        tap((response) => responses.push(response)),
        mergeMap(({ body, flow }) =>
          body.pipe(
            tap((data) => {
              if (received === 0) flow.pause();
              received += data.length;
            }),
          ),
        ),
      ),
    );
    let before = -1;
    await eventually(async () => {
      before = written;
      await delay(100);
      return received > 0 && written === before;
    });
    expect(received).toBeLessThan(MEGABYTE);
    expect(written).toBeLessThan(CONNECTION_BYTES + 8 * MEGABYTE);
    responses[0]?.flow.resume();
    await done;
    expect(received).toBe(total);
  });

  it('shares each turn of the event loop with all other exchanges, however much they receive', async () => {
    const size = 512 * 1024;
    const streams = 30;
    upstream.always(() => streaming(chunk(Buffer.alloc(size, 'x')), lastChunk()));
    let inTurn = 0;
    let most = 0;
    let turns: NodeJS.Immediate | undefined;
    const turn = () => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      turns = setImmediate(turn);
    };
    turn();
    const read = (data: Buffer) => {
      inTurn += data.length;
      return data.length;
    };
    const bodies = Array.from({ length: streams }, () =>
      lastValueFrom(
        client.send(outbound(upstream.url)).pipe(
          mergeMap(({ body }) => body),
          map(read),
          reduce((sum, length) => sum + length, 0),
        ),
      ),
    );
    const sizes = await Promise.all(bodies);
    clearImmediate(turns);
    expect(new Set(sizes)).toEqual(new Set([size]));
    expect(most).toBeLessThan(256 * 1024);
  });

  it('reports an error of its subscriber only to that subscriber', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    const failing$ = client.send(outbound(upstream.url)).pipe(
      mergeMap(({ body }) => body),
      mergeMap(
        () =>
          new Observable(() => {
            throw new Error('mine');
          }),
      ),
    );
    await expect(lastValueFrom(failing$)).rejects.toThrow('mine');
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('ok');
  });
});
