import type { Request, Response } from 'express';
import type { Lines } from '../telemetry/gathered-lines/gathered-lines.js';
import type { Log } from '../telemetry/logger.js';
import type { AnswerMetricsService } from '../telemetry/metrics/answer-metrics.service.js';

/** nginx's status for requests whose client disconnected before an answer. */
const CLIENT_CLOSED = 499;

export class AccessLog {
  private readonly lines: Lines;
  private readonly worker: number | undefined;
  private readonly logsRequests: boolean;
  private readonly logsProbes: boolean;

  constructor(
    { logger, lines, worker }: Log,
    private readonly answers: AnswerMetricsService,
  ) {
    this.lines = lines;
    this.worker = worker;
    this.logsRequests = logger.isLevelEnabled('info');
    this.logsProbes = logger.isLevelEnabled('debug');
  }

  /** Called when the response has ended or the client has disconnected; probes and scrapes are logged at `debug`. */
  note(request: Request, response: Response): void {
    const isProbe = request.context.route.kind === 'probe';
    if (!isProbe) this.count(request, response);
    const level = isProbe ? 'debug' : 'info';
    if (level === 'debug' ? this.logsProbes : this.logsRequests) {
      this.lines.write(lineOf(request, response, level, this.worker));
    }
  }

  private count({ context }: Request, response: Response): void {
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
    const code = context.error?.body.code ?? (response.writableFinished ? 'ok' : 'client_closed');
    this.answers.ended(context.route.name, status, code);
  }
}

function lineOf(
  { context, method, path }: Request,
  response: Response,
  level: string,
  worker: number | undefined,
): string {
  const { id, route, clientRequestId, startedAt, keyId, userId, requested, error, call } = context;
  const line = {
    level,
    time: new Date().toISOString(),
    worker,
    requestId: id,
    clientRequestId,
    method,
    path: path.slice(0, 200).replace(/svc_\w+/g, 'svc_…'),
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
    outcome: call?.isAccepted ? (call.outcome ?? 'aborted') : undefined,
    code: error?.body.code ?? undefined,
    left: response.writableFinished ? undefined : true,
    msg: 'request',
  };
  return `${JSON.stringify(line)}\n`;
}
