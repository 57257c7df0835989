import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export interface PortHold {
  release(): void;
}

/**
 * Rejects where another program listens on the port. With a port that is shared the system would not say so: another
 * gateway, too, could share it.
 */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen({ port, host }), 'listening');
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Rejects where another gateway holds the port: of two that start at once both could find it free, and share it then. A
 * name without a file, which the system forgets with its process; null where there is no such thing, or no port yet.
 */
export async function holdPort(port: number, host: string): Promise<PortHold | null> {
  if (port === 0 || process.platform !== 'linux') return null;
  const server: Server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen(`\0chat-completion-gateway ${host}:${port}`), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return null;
    throw new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
  }
  return { release: () => void server.close() };
}
