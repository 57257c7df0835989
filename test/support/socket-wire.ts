import type { Socket } from 'node:net';
import type { Wire } from './script.js';

export class SocketWire implements Wire {
  readonly closed: Promise<void>;
  /** Called when the client disconnects, not when a step closed the connection. */
  onClientGone: (() => void) | null = null;
  private ended = false;
  private left = false;

  /** `raw`: the TCP socket below TLS, else the same. */
  constructor(
    private readonly socket: Socket,
    private readonly raw: Socket,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('end', () => this.leave());
    socket.once('close', () => {
      this.leave();
      resolve();
    });
  }

  get gone(): boolean {
    return this.ended || this.left;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.gone || this.socket.write(data)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.socket.once('drain', resolve);
    await Promise.race([promise, this.closed]);
    this.socket.off('drain', resolve);
  }

  end(): void {
    this.ended = true;
    this.socket.end();
  }

  reset(): void {
    this.ended = true;
    this.raw.resetAndDestroy();
  }

  /** The client has sent FIN or RST. */
  private leave(): void {
    if (!this.gone) this.onClientGone?.();
    this.left = true;
    this.socket.destroy();
  }
}
