import type { Request, Response } from 'express';
import type { Lines } from '../telemetry/gathered-lines/gathered-lines.js';
import type { Log } from '../telemetry/logger.js';
import type { AnswerMetricsService } from '../telemetry/metrics/answer-metrics.service.js';
import { isCallApi } from './route.js';

/** No answer was begun; the status that nginx logs for it. */
const CLIENT_CLOSED = 499;

/**
 * Writes the one line of each request, and counts it. Its fields are known, so it is written at once and past the logger, which would
 * look at each field anew.
 */
export class AccessLog {
  private readonly lines: Lines;
  private readonly worker: number | undefined;
  private readonly tellsAll: boolean;
  private readonly tellsProbes: boolean;

  constructor(
    { logger, lines, worker }: Log,
    private readonly answers: AnswerMetricsService,
  ) {
    this.lines = lines;
    this.worker = worker;
    this.tellsAll = logger.isLevelEnabled('info');
    this.tellsProbes = logger.isLevelEnabled('debug');
  }

  /** Of a request whose response has ended, or whose client has gone; of probes and scrapes only at `debug`. */
  note(request: Request, response: Response): void {
    const isProbe = request.context.route === 'probe';
    if (!isProbe) this.count(request, response);
    const level = isProbe ? 'debug' : 'info';
    if (level === 'debug' ? this.tellsProbes : this.tellsAll) {
      this.lines.write(lineOf(request, response, level, this.worker));
    }
  }

  private count({ context }: Request, response: Response): void {
    const api = context.route === 'v1' ? 'other' : context.route;
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
    const code = context.error?.body.code ?? (response.writableFinished ? 'ok' : 'client_closed');
    this.answers.ended(api, status, code);
  }
}

function lineOf(
  { context, method, path }: Request,
  response: Response,
  level: string,
  worker: number | undefined,
): string {
  const { id, route, clientRequestId, startedAt, keyId, userId, asked, error, call } = context;
  const line = {
    level,
    time: new Date().toISOString(),
    worker,
    requestId: id,
    clientRequestId,
    method,
    path: path.slice(0, 200).replace(/svc_\w+/g, 'svc_…'),
    api: isCallApi(route) || route === 'models' ? route : undefined,
    status: response.statusCode,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    firstTokenMs: call?.firstTokenMs ?? undefined,
    keyId: keyId ?? undefined,
    userId: userId ?? undefined,
    model: asked.model ?? undefined,
    tokens: call?.tokens ?? undefined,
    upstream: call?.attempts.at(-1)?.upstream,
    attempts: call?.attempts.length,
    // The row of a call whose client has left is closed behind this line.
    outcome: call?.isAccepted ? (call.outcome ?? 'aborted') : undefined,
    code: error?.body.code ?? undefined,
    left: response.writableFinished ? undefined : true,
    msg: 'request',
  };
  return `${JSON.stringify(line)}\n`;
}
