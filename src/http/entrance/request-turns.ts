import type { Socket } from 'node:net';

const MOST_IN_A_TURN = 128;

interface Waiting {
  readonly socket: Socket;
  readonly serve: () => void;
}

/**
 * Begins some requests in each turn of the event loop. Node reads from more than a thousand ready sockets dozens of
 * times before it goes on, so clients on as many that are answered at once would hold all timers for many seconds.
 */
export class RequestTurns {
  private waiting: Waiting[] = [];
  private begun = 0;
  private isPlanned = false;

  take(socket: Socket, serve: () => void): void {
    this.plan();
    if (this.begun < MOST_IN_A_TURN && this.waiting.length === 0) {
      this.begun++;
      serve();
    } else this.waiting.push({ socket, serve });
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => this.next());
  }

  private next(): void {
    this.isPlanned = false;
    const served = this.waiting.slice(0, MOST_IN_A_TURN);
    if (served.length > 0) this.waiting = this.waiting.slice(MOST_IN_A_TURN);
    this.begun = served.length;
    for (const { socket, serve } of served) if (!socket.destroyed) serve();
    if (served.length > 0) this.plan();
  }
}
