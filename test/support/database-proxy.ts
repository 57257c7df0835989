import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** A TCP port in front of a Postgres server, to take the server away and give it back. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  private silent = false;
  private vanished = false;

  private constructor(private readonly target: URL) {}

  /** `databaseUrl`: the server and database behind it. Nothing listens before `open`, but the port is known. */
  static async create(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl));
    await proxy.open();
    await proxy.close();
    return proxy;
  }

  /** The way to the database through the proxy. */
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
    this.server = createServer((socket) => this.join(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and takes no new ones, as a server that has ended. */
  async close(): Promise<void> {
    this.cut();
    if (!this.server?.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Connections stay, but what the server answers no longer arrives; `open` ends it for new ones. */
  silence(): void {
    this.silent = true;
  }

  /** As a host without power or network: nothing arrives any more on either side, not even an end. */
  vanish(): void {
    this.vanished = true;
  }

  private join(client: Socket): void {
    const server = this.connect();
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (data) => this.vanished || server.write(data));
    server.on('data', (data) => this.silent || this.vanished || client.write(data));
    client.on('close', () => this.leave(client, server));
    server.on('close', () => this.leave(server, client));
  }

  private leave(gone: Socket, other: Socket): void {
    this.sockets.delete(gone);
    if (!this.vanished) other.destroy();
  }

  private connect(): Socket {
    const folder = this.target.searchParams.get('host');
    const port = Number(this.target.port || 5432);
    return folder?.startsWith('/')
      ? connect(join(folder, `.s.PGSQL.${port}`))
      : connect(port, folder ?? this.target.hostname);
  }
}
