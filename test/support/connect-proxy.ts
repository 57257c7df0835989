import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterFile } from './after-file.js';

export interface ConnectProxyOptions {
  /** `name:password` that clients must send. */
  credentials?: string;
  /** Never answer a CONNECT. */
  silent?: boolean;
}

/** A forward proxy: tunnels CONNECT, forwards absolute-form requests, records both. */
export class ConnectProxy {
  /** For example `CONNECT 127.0.0.1:443` or `POST http://127.0.0.1:80/v1`. */
  readonly seen: string[] = [];
  private readonly open = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly options: ConnectProxyOptions,
  ) {}

  static async start(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
    const server = createServer();
    const proxy = new ConnectProxy(server, options);
    server.on('connection', (socket) => proxy.track(socket));
    server.on('connect', (message: IncomingMessage, socket: Duplex, first: Buffer) =>
      proxy.tunnel(message, socket, first),
    );
    server.on('request', (message, response) => proxy.forward(message, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Without credentials, for example `http://127.0.0.1:40123`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get openConnections(): number {
    return this.open.size;
  }

  readonly close = afterFile(async () => {
    for (const socket of this.open) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  });

  private tunnel(message: IncomingMessage, client: Duplex, first: Buffer): void {
    this.remember(message);
    if (this.options.silent) {
      client.resume().once('end', () => client.destroy());
      return;
    }
    if (!this.isAllowed(message)) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${message.url}`);
    const target = connect(Number(port) || 80, hostname);
    this.track(target);
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(first);
      client.pipe(target).pipe(client);
    });
    target.once('close', () => client.destroy());
    client.once('close', () => target.destroy());
  }

  private forward(message: IncomingMessage, response: ServerResponse): void {
    this.remember(message);
    if (!this.isAllowed(message)) {
      response.writeHead(407).end();
      return;
    }
    const { method, headers } = message;
    const onward = request(message.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    message.pipe(onward);
  }

  private remember(message: IncomingMessage): void {
    this.seen.push(`${message.method} ${message.url}`);
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    const { credentials } = this.options;
    if (credentials === undefined) return true;
    return headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  private track(socket: Duplex): void {
    this.open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.open.delete(socket));
  }
}
