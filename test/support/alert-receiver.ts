import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterFile } from './after-file.js';

export interface ReceivedAlert {
  readonly id: string;
  readonly signature: string;
  readonly body: string;
}

/** Receives alerts as a webhook. */
export class AlertReceiver {
  received: ReceivedAlert[] = [];
  /** The next statuses to answer; 204 when empty. */
  answers: number[] = [];
  /** The text of each answer. */
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<AlertReceiver> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const { 'x-gateway-alert-id': id, 'x-gateway-signature': signature } = request.headers;
      receiver.received.push({ id: String(id), signature: String(signature), body });
      response.writeHead(receiver.answers.shift() ?? (receiver.text === '' ? 204 : 200)).end(receiver.text);
    });
    const receiver = new AlertReceiver(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  bodies(): Record<string, string>[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  readonly close = afterFile(() => {
    this.server.closeAllConnections();
    this.server.close();
  });
}
