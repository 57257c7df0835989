import type { Socket } from 'node:net';

/** Streams that have sent half of their frames, and send the rest when released. */
export class HeldStreams {
  readonly #firstHalf: Buffer;
  readonly #secondHalf: Buffer;
  readonly #sockets = new Set<Socket>();

  constructor(frames: Buffer[]) {
    const middle = frames.length / 2;
    this.#firstHalf = Buffer.concat(frames.slice(0, middle));
    this.#secondHalf = Buffer.concat(frames.slice(middle));
  }

  get size(): number {
    return this.#sockets.size;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.write(this.#firstHalf);
  }

  release(): void {
    for (const socket of this.#sockets) socket.write(this.#secondHalf);
    this.#sockets.clear();
  }
}
