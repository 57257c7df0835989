import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../accounts/session.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { notSignedIn } from '../shared/console.errors.js';

/** Parameter of a route for members or admins: the caller's session. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const { session } = context.switchToHttp().getRequest<Request>();
  if (!session) throw notSignedIn();
  return session;
});

/** Parameter of any route: the caller as the audit log names it. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor => actorOf(context.switchToHttp().getRequest<Request>()),
);

function actorOf({ session, ip, context }: Request): Actor {
  const from = { address: ip ?? null, requestId: context.id };
  if (!session) return { kind: 'nobody', id: null, name: 'not signed in', ...from };
  return { kind: 'user', id: session.user.id, name: session.user.email, ...from };
}
