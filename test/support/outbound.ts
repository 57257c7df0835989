import { concatMap, lastValueFrom, type Observable, reduce } from 'rxjs';
import type { Clocks } from '../../src/config/upstreams.settings.js';
import type { OutboundRequest, UpstreamResponse } from '../../src/upstreams/contract/upstream.types.js';

const SECOND = 1000;

/** Clocks that never run out, except the given ones. */
export function clocksWith(clocks: Partial<Clocks> = {}): Clocks {
  return {
    connect: 10 * SECOND,
    head: 20 * SECOND,
    firstEvent: 20 * SECOND,
    idle: 20 * SECOND,
    total: 20 * SECOND,
    ...clocks,
  };
}

/** A request to `url`, by default streamed with a small JSON body; `clocks.total` sets the deadline. */
export function outbound(
  url: string,
  { clocks, ...rest }: Partial<Omit<OutboundRequest, 'clocks'>> & { clocks?: Partial<Clocks> } = {},
): OutboundRequest {
  const all = clocksWith(clocks);
  return {
    upstream: 'test',
    method: 'POST',
    url: `${url}/v1/chat/completions`,
    headers: { 'content-type': 'application/json' },
    body: '{"model":"m"}',
    streamed: true,
    deadline: performance.now() + all.total,
    clocks: all,
    ...rest,
  };
}

/** The whole body as text. */
export function textOf(response$: Observable<UpstreamResponse>): Promise<string> {
  const body$ = response$.pipe(
    concatMap(({ body }) => body),
    reduce((text, data) => text + data.toString(), ''),
  );
  return lastValueFrom(body$);
}
