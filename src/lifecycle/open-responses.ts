import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slots, type Slotted } from '../common/slots.js';

export class OpenResponses {
  private readonly responses = new Slots<OpenResponse>();
  private closing = false;
  private idle: (() => void) | undefined;
  private connections = 0;
  /** `performance.now()` */
  private endedAt = 0;

  constructor(server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => this.add(response));
    server.prependListener('connection', (socket: Socket) => {
      this.connections++;
      socket.once('close', () => this.connections--);
    });
  }

  /** ms since the last response ended; Infinity without connections. */
  get silentMs(): number {
    return this.connections === 0 ? Infinity : performance.now() - this.endedAt;
  }

  /** Makes each further response close its connection, so that the client reconnects to another process. */
  closeConnections(): void {
    this.closing = true;
    this.endedAt = performance.now();
    for (const { response } of this.responses) endConnectionAfter(response);
  }

  /** Resolves when all completely received requests are answered. */
  async finished(): Promise<void> {
    if (this.isUnpaid()) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private isUnpaid(): boolean {
    return [...this.responses].some(({ response }) => response.req.complete);
  }

  private add(response: ServerResponse): void {
    const open: OpenResponse = { response, slot: -1 };
    this.responses.add(open);
    if (this.closing) endConnectionAfter(response);
    response.once('close', () => {
      this.responses.remove(open);
      this.endedAt = performance.now();
      if (this.idle && !this.isUnpaid()) this.idle();
    });
  }
}

interface OpenResponse extends Slotted {
  readonly response: ServerResponse;
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
