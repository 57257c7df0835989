/** Of Postgres: no connection, no more connections, going down or starting; of the network: nobody there. */
const CODES =
  /^(08\w{3}|53300|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Of the driver, whose own errors have no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** A driver's error, or TypeORM's around it. */
type Fault = Partial<NodeJS.ErrnoException & { driverError: unknown }>;

/** Whether a query failed since there was no database to ask, and not by what it asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall, message = '', driverError } = error as Fault;
  if (driverError !== undefined) return isDatabaseAway(driverError);
  if (code === undefined) return MESSAGES.test(message);
  return CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect');
}
