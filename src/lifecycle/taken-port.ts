import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Rejects where another program listens on the port. With a port that is shared the system would not say so: another
 * gateway, too, could share it.
 */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen({ port, host }), 'listening');
  await new Promise((resolve) => server.close(resolve));
}
