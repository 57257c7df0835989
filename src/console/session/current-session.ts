import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../accounts/session.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { notSignedIn } from '../shared/console.errors.js';

/** A signed-in person's session, and the person as an actor in the audit log. */
export interface SignedIn extends Session {
  readonly actor: Actor;
}

/** Parameter of a route for members or admins. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn => {
  const request = context.switchToHttp().getRequest<Request>();
  if (!request.session) throw notSignedIn();
  return { ...request.session, actor: actorOf(request) };
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
