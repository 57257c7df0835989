import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, type StartLog, startEmbeddedPostgres } from './embedded-postgres.js';
import { isGatewayLockTaken, takeGatewayLock } from './gateway-lock.js';

/** How long a gateway waits for the command-line tool that runs the server at the moment. */
const TOOL_LIMIT_MS = 60_000;
const LOOK_PAUSE_MS = 150;

export interface GatewayPostgresOptions {
  log?: StartLog;
  /** Called once when the gateway's lock is lost: the server is gone, or another gateway may now start. */
  onLost?: (cause: Error) => void;
}

/**
 * Like startEmbeddedPostgres, but for the gateway: it owns the server and is the only gateway on the folder. Only an
 * owner ever takes the gateway lock, so a server of another process is a gateway's once the lock is taken; until then
 * it may be a command-line tool's, which ends soon.
 */
export async function startGatewayPostgres(
  folder: string,
  { log = () => undefined, onLost = () => undefined }: GatewayPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const limit = performance.now() + TOOL_LIMIT_MS;
  for (let looks = 0; performance.now() < limit; looks++) {
    const server = await startEmbeddedPostgres(folder, log);
    if (server.owner) return withGatewayLock(server, onLost);
    // A server that cannot be asked is about to stop.
    if (await isGatewayLockTaken(server).catch(() => false)) throw anotherGateway(server);
    if (looks === 0) log(`waiting for the command-line tool that uses the data folder ${server.folder}`);
    await sleep(LOOK_PAUSE_MS);
  }
  throw new Error(`a command-line tool still uses the data folder ${folder} after ${TOOL_LIMIT_MS / 1000} s`);
}

async function withGatewayLock(server: EmbeddedPostgres, onLost: (cause: Error) => void): Promise<EmbeddedPostgres> {
  try {
    const lock = await takeGatewayLock(server, onLost);
    if (!lock) throw anotherGateway(server);
    return { ...server, stop: () => lock.release().then(server.stop) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function anotherGateway(server: EmbeddedPostgres): Error {
  return new Error(`another gateway is already running on the data folder ${server.folder}`);
}
