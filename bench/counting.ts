/** Counts a process's work: bytes allocated at any time, the rest between `startCounting` and `counts`. */
import { createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import pg from 'pg';

export interface Counts {
  timers: number;
  promises: number;
  /** Async resources of any other kind. */
  resources: number;
  socketWrites: number;
  statements: number;
}

const counted: Counts = { timers: 0, promises: 0, resources: 0, socketWrites: 0, statements: 0 };

const hook = createHook({
  init(_id, type) {
    if (type === 'Timeout' || type === 'Immediate') counted.timers++;
    else if (type === 'PROMISE') counted.promises++;
    else counted.resources++;
  },
});

let isPatched = false;

/** Hooks slow a process down and allocate: read bytes only while nothing is counted. */
export function startCounting(): void {
  if (!isPatched) patch();
  isPatched = true;
  Object.assign(counted, { timers: 0, promises: 0, resources: 0, socketWrites: 0, statements: 0 });
  hook.enable();
}

export function counts(): Counts {
  hook.disable();
  return { ...counted };
}

/** Bytes allocated on the JavaScript heap since the process started. */
export function allocated(): number {
  return (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes;
}

function patch(): void {
  const socket = Socket.prototype as unknown as Record<'_write' | '_writev', (...given: unknown[]) => unknown>;
  for (const name of ['_write', '_writev'] as const) {
    const write = socket[name];
    socket[name] = function (this: unknown, ...given) {
      counted.socketWrites++;
      return write.apply(this, given);
    };
  }
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const { query } = client;
  client.query = function (...given) {
    counted.statements++;
    return query.apply(this, given);
  };
}
