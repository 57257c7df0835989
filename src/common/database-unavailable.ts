/** Codes of Postgres (no connection, too many connections, stopping or starting) and of the network (unreachable). */
const CODES =
  /^(08\w{3}|53300|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of the driver, whose own errors have no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** An error of the driver, or TypeORM's wrapper around it. */
type Fault = Partial<NodeJS.ErrnoException & { driverError: unknown }>;

/** Whether a query failed because the database is unavailable, and not because of the query. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall, message = '', driverError } = error as Fault;
  if (driverError !== undefined) return isDatabaseUnavailable(driverError);
  if (code === undefined) return MESSAGES.test(message);
  return CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect');
}
