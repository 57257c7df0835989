import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { GatheredLines, type Lines } from './gathered-lines/gathered-lines.js';

/** The logger, and its output for code that formats its own lines. */
export interface Log {
  readonly logger: Logger;
  readonly lines: Lines;
  /** The number of this process if there are several, added to each line. */
  readonly worker?: number | undefined;
}

export interface ProcessLog extends Log {
  end(): Promise<void>;
}

/**
 * One JSON object per line on stdout. Lines contain only fields that were named explicitly, never whole requests,
 * responses or bodies, so that no key, prompt or credential can leak.
 */
export function createLog(level: string, worker?: number): ProcessLog {
  const lines = new GatheredLines(destination({ fd: 1, sync: false }));
  const logger = pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  return { logger, lines, worker, end: () => lines.end() };
}

/** Nest logs every module and route at start; these go to `debug`. */
const CHATTY = new Set<unknown>([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Nest's logger interface on top of pino: an Error is logged with its stack, a context as `context`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger[CHATTY.has(rest.at(-1)) ? 'debug' : 'info'](...toLine(message, rest));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(...toLine(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(...toLine(message, rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(...toLine(message, rest));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(...toLine(message, rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(...toLine(message, rest));
  }
}

/** The last string is Nest's context; a plain object holds the line's fields. */
function toLine(message: unknown, rest: unknown[]): [Record<string, unknown>, string] {
  const context = rest.findLast((value) => typeof value === 'string');
  const fields = rest.find((value) => typeof value === 'object' && value !== null);
  const error = message instanceof Error ? message : undefined;
  const line = { ...(context !== undefined && { context }), ...fields, ...(error && { error: toLoggedError(error) }) };
  return [line, error ? error.message : String(message)];
}

function toLoggedError(error: Error): Record<string, unknown> {
  const { name, stack } = error;
  const cause = error.cause instanceof Error ? { cause: { name: error.cause.name, message: error.cause.message } } : {};
  return { name, stack, ...cause };
}
