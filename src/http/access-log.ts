import type { Request, Response } from 'express';
import type { AnswerMetricsService } from '../telemetry/answer-metrics.service.js';
import type { Log } from '../telemetry/logger.js';
import { pathOf } from './route.js';

/** nginx's status for requests whose client disconnected before an answer. */
const CLIENT_CLOSED = 499;
const OVERLOADED = 'overloaded';
const PAUSE_MS = 1000;

export class AccessLog {
  private overloadLoggedAt = -Infinity;
  /** Calls refused for overload since then, which have no line. */
  private suppressed = 0;

  constructor(
    private readonly log: Log,
    private readonly answers: AnswerMetricsService,
  ) {}

  /** Called when the response has ended or the client has disconnected; probes and scrapes are logged at `debug`. */
  note(request: Request, response: Response): void {
    const isProbe = request.context.route.kind === 'probe';
    if (!isProbe) this.count(request, response);
    const level = isProbe ? 'debug' : 'info';
    const { logger, lines, worker } = this.log;
    if (!logger.isLevelEnabled(level)) return;
    const { call, error } = request.context;
    const suppressed = call === null && error?.body.code === OVERLOADED ? this.suppressedCalls() : 0;
    if (suppressed !== null) lines.write(lineOf(request, response, { level, worker, suppressed }));
  }

  /**
   * Of the calls refused for overload, one a second is logged: in an overload, a line for each would take a tenth of
   * the CPU. Null: this one is not; else how many were not logged before it.
   */
  private suppressedCalls(): number | null {
    const now = performance.now();
    if (now - this.overloadLoggedAt < PAUSE_MS) {
      this.suppressed++;
      return null;
    }
    const { suppressed } = this;
    this.overloadLoggedAt = now;
    this.suppressed = 0;
    return suppressed;
  }

  private count({ context }: Request, response: Response): void {
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
    const code = context.error?.body.code ?? (response.writableFinished ? 'ok' : 'client_closed');
    this.answers.ended(context.route.name, status, code);
  }
}

/**
 * A router within the router cuts the front of `url` and `path` off. Requests that the entrance answers itself have not
 * reached the router, which sets `originalUrl`.
 */
type RoutedRequest = Omit<Request, 'originalUrl'> & { readonly originalUrl?: string };

function lineOf(
  { context, method, url, originalUrl = url }: RoutedRequest,
  response: Response,
  { level, worker, suppressed }: { level: string; worker: number | undefined; suppressed: number },
): string {
  const { id, route, clientRequestId, startedAt, keyId, userId, requested, error, call } = context;
  const line = {
    level,
    time: new Date().toISOString(),
    worker,
    requestId: id,
    clientRequestId,
    method,
    path: pathOf(originalUrl)
      .slice(0, 200)
      .replace(/(svc|gat)_\w+/g, '$1_…'),
    api: route.kind === 'call' || route.kind === 'models' ? route.name : undefined,
    status: response.statusCode,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    firstTokenMs: call?.firstTokenMs ?? undefined,
    keyId: keyId ?? undefined,
    userId: userId ?? undefined,
    model: requested.model ?? undefined,
    tokens: call?.tokens ?? undefined,
    upstream: call?.attempts.at(-1)?.upstream,
    attempts: call?.attempts.length,
    // After a disconnect, the row is closed after this line is written.
    outcome: call ? (call.outcome ?? 'aborted') : undefined,
    code: error?.body.code ?? undefined,
    suppressed: suppressed || undefined,
    left: response.writableFinished ? undefined : true,
    msg: 'request',
  };
  return `${JSON.stringify(line)}\n`;
}
