import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { gatewayError } from '../../common/gateway.error.js';
import { Turns } from '../../common/turns.js';

/** Together with what each reads, fewer than the connections of the pool. */
const AT_ONCE = 4;
const MOST_WAITING = 100;

/**
 * Serves a few requests at a time of each person, or of all service accounts of a project: the console shares the
 * connections to the database with calls.
 */
@Injectable()
export class FairTurnsInterceptor implements NestInterceptor {
  private readonly owners = new Map<string, Turns>();

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { session } = context.switchToHttp().getRequest<Request>();
    if (!session) return next.handle();
    const end = await this.begin(session.user.projectId ?? session.user.id);
    return next.handle().pipe(finalize(end));
  }

  private async begin(owner: string): Promise<() => void> {
    const turns = this.owners.get(owner) ?? new Turns(AT_ONCE);
    if (turns.waiting >= MOST_WAITING) throw tooManyAtOnce();
    this.owners.set(owner, turns);
    const end = await turns.begin();
    return () => {
      end();
      if (turns.isIdle) this.owners.delete(owner);
    };
  }
}

function tooManyAtOnce() {
  const message = `More than ${MOST_WAITING} of your requests are waiting for their turn. Please try again when some have been answered.`;
  return gatewayError(429, 'rate_limit_exceeded', message, { headers: { 'retry-after': '1' } });
}
