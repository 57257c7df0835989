import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { gatewayError } from '../common/gateway.error.js';
import { Turns } from '../common/turns.js';
import { clientNetwork } from './client-network.js';

/** Together with what each reads, fewer than the connections of the pool. */
const AT_ONCE = 4;
const MOST_WAITING = 100;

/** Of all modules whose routes use the interceptor. */
const owners = new Map<string, Turns>();

/**
 * Serves a few requests at a time of each project, or else user, or else network: what asks the database for an answer
 * shares its connections with the look-ups of callers. Calls have limits of their own.
 */
@Injectable()
export class FairTurnsInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { ip, context: requested } = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(finalize(await begin(requested.ownerId ?? clientNetwork(ip ?? null))));
  }
}

async function begin(owner: string): Promise<() => void> {
  const turns = owners.get(owner) ?? new Turns(AT_ONCE);
  if (turns.waiting >= MOST_WAITING) throw tooManyAtOnce();
  owners.set(owner, turns);
  const end = await turns.begin();
  return () => {
    end();
    if (turns.isIdle) owners.delete(owner);
  };
}

function tooManyAtOnce() {
  const message = `More than ${MOST_WAITING} of your requests are waiting for their turn. Please try again when some have been answered.`;
  return gatewayError(429, 'rate_limit_exceeded', message, { headers: { 'retry-after': '1' } });
}
