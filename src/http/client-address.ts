import type { Request } from 'express';

/** Express's `ip`. Skips its expensive proxy check if there is no proxy header. */
export function clientAddress(request: Request): string | undefined {
  return request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
}
