import type { Socket } from 'node:net';

interface Stream {
  socket: Socket;
  frames: Buffer[];
  sent: number;
}

/**
 * Writes the frames of many streams, the first immediately and then one every `paceMs` to each. Streams are spread
 * evenly over the pace, and late ticks are made up for, so that the load is even and exact.
 */
export class StreamPacer {
  readonly #paceMs: number;
  readonly #slots: Set<Stream>[];
  #startedAt = 0;
  #tick = 0;
  #added = 0;

  constructor(paceMs: number) {
    this.#paceMs = paceMs;
    this.#slots = Array.from({ length: paceMs }, () => new Set<Stream>());
  }

  start(): void {
    this.#startedAt = performance.now();
    setInterval(() => this.#catchUp(), 1);
  }

  add(socket: Socket, frames: Buffer[]): void {
    socket.write(frames[0] ?? '');
    this.#slots[this.#added++ % this.#slots.length]?.add({ socket, frames, sent: 1 });
  }

  #catchUp(): void {
    const due = Math.floor(performance.now() - this.#startedAt);
    this.#tick = Math.max(this.#tick, due - this.#paceMs);
    while (this.#tick < due) this.#writeSlot(++this.#tick % this.#slots.length);
  }

  #writeSlot(index: number): void {
    const slot = this.#slots[index];
    if (!slot) return;
    for (const stream of slot) {
      const frame = stream.socket.destroyed ? undefined : stream.frames[stream.sent++];
      if (frame) stream.socket.write(frame);
      else slot.delete(stream);
    }
  }
}
