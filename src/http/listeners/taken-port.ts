import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Rejects if another program listens on the port. The system does not report this for shared ports. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen({ port, host }), 'listening');
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Rejects if another gateway has the port, as two gateways that start together could both find it free and share it.
 * Uses an abstract socket, which ends with the process. Null if there are no abstract sockets, or if there is no port
 * yet.
 */
export async function holdPort(port: number, host: string): Promise<Server | null> {
  if (port === 0 || process.platform !== 'linux') return null;
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen(`\0chat-completion-gateway ${host}:${port}`), 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return null;
    throw new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
  }
}
