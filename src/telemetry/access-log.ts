import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { doorOf } from '../common/door.js';

/** Writes the one line of a request whose response has ended, or whose client has gone; of probes and scrapes only at `debug`. */
export function logRequest(logger: Logger, request: Request, response: Response): void {
  const { id, clientRequestId, startedAt, keyId, userId, model, error, call } = request.context;
  logger[isProbe(request.path) ? 'debug' : 'info'](
    {
      requestId: id,
      clientRequestId,
      method: request.method,
      path: request.path.slice(0, 200).replace(/svc_\w+/g, 'svc_…'),
      door: doorOf(request.path),
      status: response.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      firstTokenMs: call?.firstTokenMs ?? undefined,
      keyId: keyId ?? undefined,
      userId: userId ?? undefined,
      model: model ?? undefined,
      tokens: call?.tokens ?? undefined,
      code: error?.body.code ?? undefined,
      left: response.writableFinished ? undefined : true,
    },
    'request',
  );
}

function isProbe(path: string): boolean {
  return path.startsWith('/health/') || path === '/metrics';
}
