import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterFile } from './after-file.js';

/** A TCP proxy for a Postgres server, to simulate outages. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private readonly forgotten = new WeakSet<Socket>();
  private server: Server | undefined;
  private port = 0;
  private silent = false;
  private vanished = false;

  private constructor(private readonly target: URL) {
    afterFile(() => this.close());
  }

  /** `databaseUrl`: the server and database behind it. The port is reserved, but only `open` listens on it. */
  static async create(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl));
    await proxy.open();
    await proxy.close();
    return proxy;
  }

  /** The database's URL through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async open(): Promise<void> {
    this.silent = false;
    this.vanished = false;
    if (this.server?.listening) return;
    this.server = createServer((socket) => this.join(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and accepts no new ones, like a stopped server. */
  async close(): Promise<void> {
    this.cut();
    if (!this.server?.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Keeps connections open but forwards no answers; after `open`, new connections work. */
  silence(): void {
    this.silent = true;
  }

  /** Like a host that lost power or network: neither side receives anything, not even a FIN. */
  vanish(): void {
    this.vanished = true;
  }

  /** Like a firewall that forgot its connections: the present ones stay silent forever, new ones work. */
  forget(): void {
    for (const socket of this.sockets) this.forgotten.add(socket);
  }

  private join(client: Socket): void {
    const server = this.connect();
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (data) => this.vanished || this.forgotten.has(client) || server.write(data));
    server.on('data', (data) => this.silent || this.vanished || this.forgotten.has(server) || client.write(data));
    client.on('close', () => this.leave(client, server));
    server.on('close', () => this.leave(server, client));
  }

  private leave(gone: Socket, other: Socket): void {
    this.sockets.delete(gone);
    if (!this.vanished && !this.forgotten.has(gone)) other.destroy();
  }

  private connect(): Socket {
    const folder = this.target.searchParams.get('host');
    const port = Number(this.target.port || 5432);
    return folder?.startsWith('/')
      ? connect(join(folder, `.s.PGSQL.${port}`))
      : connect(port, folder ?? this.target.hostname);
  }
}
