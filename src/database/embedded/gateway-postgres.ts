import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, type StartLog, startEmbeddedPostgres } from './embedded-postgres.js';
import { isGatewayLockTaken, takeGatewayLock } from './gateway-lock.js';

/** How long a gateway waits for a command-line tool that runs the server. */
const TOOL_LIMIT_MS = 60_000;
const LOOK_PAUSE_MS = 150;

export interface GatewayPostgresOptions {
  log?: StartLog;
  /** Called once when the lock is lost: the server has ended, or another gateway may start. */
  onLost?: (cause: Error) => void;
}

/**
 * Like `startEmbeddedPostgres`, for the gateway, which must own the server. Only owners take the gateway lock: another
 * process's server belongs to a gateway if the lock is taken, and otherwise to a command-line tool, which ends soon.
 */
export async function startGatewayPostgres(
  folder: string,
  { log = () => undefined, onLost = () => undefined }: GatewayPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const limit = performance.now() + TOOL_LIMIT_MS;
  for (let looks = 0; performance.now() < limit; looks++) {
    const server = await startEmbeddedPostgres(folder, log);
    if (server.owner) return withGatewayLock(server, onLost);
    // A server that does not respond is about to stop.
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
