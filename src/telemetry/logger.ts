import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { GatheredLines, type Lines } from './gathered-lines/gathered-lines.js';

/** The log: the logger that all use, and the lines behind it for what is written often enough to write its own. */
export interface Log {
  readonly logger: Logger;
  readonly lines: Lines;
  /** The number of this process where there are several; it stands in each line. */
  readonly worker?: number | undefined;
}

/** The log of a process, which ends with it. */
export interface ProcessLog extends Log {
  /** Resolves when every line is written; there are none after it. */
  end(): Promise<void>;
}

/**
 * One JSON object a line on stdout. A line holds what its call names and nothing else: no request, response or body is
 * ever given to it whole, so no key, prompt or credential can slip in.
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

/** Nest tells of every module and route at start; who wants to know sets the level `debug`. */
const CHATTY = new Set<unknown>([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Nest's logger interface in front of ours: an Error is logged with its stack, a context as `context`. */
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

/** The last string is Nest's context; a plain object among the others holds the line's fields. */
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
