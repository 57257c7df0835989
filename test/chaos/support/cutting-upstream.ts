import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An upstream that starts each stream and cuts the connection in the middle. */
export class CuttingUpstream {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<CuttingUpstream> {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${chunkOf('Once upon')}\n\ndata: ${chunkOf(' a time')}\n\n`);
      setTimeout(() => response.destroy(), 20);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttingUpstream(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function chunkOf(content: string): string {
  const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null, logprobs: null }];
  return JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices });
}
