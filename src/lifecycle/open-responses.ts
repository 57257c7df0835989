import type { Server, ServerResponse } from 'node:http';
import { Slots, type Slotted } from '../common/slots.js';

/** The responses that a server still owes, so that a shutdown can wait for their last byte. */
export class OpenResponses {
  private readonly responses = new Slots<OpenResponse>();
  private closing = false;
  private idle: (() => void) | undefined;

  constructor(server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => this.add(response));
  }

  /** From now on each response tells its client to come back on a new connection, which another process will get. */
  closeConnections(): void {
    this.closing = true;
    for (const { response } of this.responses) endConnectionAfter(response);
  }

  /** Resolves when nothing is owed any more to those who have asked: who still sends a request has not. */
  async finished(): Promise<void> {
    if (this.isOwing()) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private isOwing(): boolean {
    return [...this.responses].some(({ response }) => response.req.complete);
  }

  private add(response: ServerResponse): void {
    const open: OpenResponse = { response, slot: -1 };
    this.responses.add(open);
    if (this.closing) endConnectionAfter(response);
    response.once('close', () => {
      this.responses.remove(open);
      if (this.idle && !this.isOwing()) this.idle();
    });
  }
}

interface OpenResponse extends Slotted {
  readonly response: ServerResponse;
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
