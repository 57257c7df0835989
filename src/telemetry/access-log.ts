import type { Request, Response } from 'express';
import type { Logger } from 'pino';

/** Writes the one line of a request whose response has ended, or whose client has gone; probes only at level `debug`. */
export function logRequest(logger: Logger, request: Request, response: Response): void {
  const { id, startedAt, keyId, model, error } = request.context;
  logger[request.path.startsWith('/health/') ? 'debug' : 'info'](
    {
      requestId: id,
      method: request.method,
      path: request.path.slice(0, 200).replace(/svc_\w+/g, 'svc_…'),
      status: response.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      keyId,
      model,
      code: error?.body.code ?? undefined,
      left: response.writableFinished ? undefined : true,
    },
    'request',
  );
}
