import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterFile } from './after-file.js';
import { type ReceivedRequest, RequestReader } from './received-request.js';
import { json, type Script, type Step } from './script.js';
import { SocketWire } from './socket-wire.js';

export interface ScriptedUpstreamOptions {
  /** Use TLS with this certificate (PEM). */
  tls?: { key: string; cert: string };
}

/**
 * A TCP server that answers each request by a script (script.ts) and records it. Connections are kept alive; requests
 * of one connection are answered in order.
 */
export class ScriptedUpstream {
  readonly requests: ReceivedRequest[] = [];
  /** Connections accepted so far. */
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly queue: Script[] = [];
  private readonly waiting: { count: number; resolve: (request: ReceivedRequest) => void }[] = [];
  private otherwise: (request: ReceivedRequest) => Script = () => json(500, { error: { message: 'No script.' } });

  private constructor(
    private readonly server: Server,
    /** For example `http://127.0.0.1:40123`. */
    readonly url: string,
  ) {}

  static async start({ tls }: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
    const server = tls ? createTlsServer({ ...tls, allowHalfOpen: true }) : createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const upstream = new ScriptedUpstream(server, `${tls ? 'https' : 'http'}://127.0.0.1:${port}`);
    server.on('connection', (socket: Socket) => upstream.track(socket));
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => upstream.accept(socket));
    return upstream;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get openConnections(): number {
    return [...this.sockets].filter((socket) => !socket.destroyed).length;
  }

  /** Queues the script of one more request. */
  enqueue(script: Script): this {
    this.queue.push(script);
    return this;
  }

  /** The script for requests while the queue is empty. */
  always(script: (request: ReceivedRequest) => Script): this {
    this.otherwise = script;
    return this;
  }

  /** Resolves to the `count`th request as soon as it arrives. */
  received(count = 1): Promise<ReceivedRequest> {
    const request = this.requests[count - 1];
    return request
      ? Promise.resolve(request)
      : new Promise((resolve) => {
          this.waiting.push({ count, resolve });
        });
  }

  /** Closes all connections. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections and stops listening. */
  readonly close = afterFile(async () => {
    this.disconnect();
    this.server.close();
    await once(this.server, 'close');
  });

  private track(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private accept(socket: Socket): void {
    const raw = [...this.sockets].find((one) => one.remotePort === socket.remotePort) ?? socket;
    const wire = new SocketWire(socket, raw);
    let turn = Promise.resolve();
    const reader = new RequestReader(this.connections++, (request) => {
      this.remember(request);
      turn = turn.then(() => this.answer(request, wire));
    });
    socket.on('data', (data: Buffer) => reader.push(data));
  }

  private remember(request: ReceivedRequest): void {
    this.requests.push(request);
    for (const waiter of this.waiting) if (waiter.count === this.requests.length) waiter.resolve(request);
  }

  private async answer(request: ReceivedRequest, wire: SocketWire): Promise<void> {
    wire.onClientGone = () => request.markAborted();
    if (wire.gone) return request.markAborted();
    for (const step of toSteps(this.queue.shift() ?? this.otherwise(request))) {
      if (wire.gone) break;
      await step(wire);
    }
    wire.onClientGone = null;
  }
}

function toSteps(script: Script): Step[] {
  return typeof script === 'function' ? [script] : script.flatMap(toSteps);
}
