import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';

/** One line a request, written when its response has ended or its client has gone. */
export function accessLog(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    response.on('close', () => {
      const { id, startedAt, keyId, model, error } = request.context;
      logger.info(
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
    });
    next();
  };
}
