import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { MAX_EVENT_SIZE } from './event.parser.js';
import { framed } from './framing.js';

function listen(source: Subject<Buffer>) {
  const heard: { events: UpstreamEvent[]; error?: unknown; completed: boolean } = { events: [], completed: false };
  source.pipe(framed('sse')).subscribe({
    next: (event) => heard.events.push(event),
    error: (error) => {
      heard.error = error;
    },
    complete: () => {
      heard.completed = true;
    },
  });
  return heard;
}

describe('framed', () => {
  it('emits each event as its bytes arrive, and the last one when the body ends', () => {
    const source = new Subject<Buffer>();
    const heard = listen(source);
    source.next(Buffer.from('data: 1\n\ndata: 2'));
    expect(heard.events).toEqual([{ event: '', data: '1' }]);
    source.complete();
    expect(heard.events).toEqual([
      { event: '', data: '1' },
      { event: '', data: '2' },
    ]);
    expect(heard.completed).toBe(true);
  });

  it('fails with 502 and unsubscribes at an event over 16 MB', () => {
    const source = new Subject<Buffer>();
    const heard = listen(source);
    source.next(Buffer.from('data: "'));
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let size = 0; size <= MAX_EVENT_SIZE; size += piece.length) source.next(piece);
    expect(heard.error).toMatchObject({ status: 502, body: { code: 'upstream_error' } });
    expect(source.observed).toBe(false);
  });

  it('keeps the bytes of two answers separate', () => {
    const operator = framed('sse');
    const [first, second] = [new Subject<Buffer>(), new Subject<Buffer>()];
    const events: string[] = [];
    first.pipe(operator).subscribe(({ data }) => events.push(data));
    second.pipe(operator).subscribe(({ data }) => events.push(data));
    first.next(Buffer.from('data: "a'));
    second.next(Buffer.from('data: "b"\n\n'));
    first.next(Buffer.from('"\n\n'));
    expect(events).toEqual(['"b"', '"a"']);
  });
});
