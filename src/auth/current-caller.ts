import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from './caller.types.js';

/** The caller that the bearer guard found, as a parameter of a handler. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => callerOf(context.switchToHttp().getRequest<Request>()),
);

export function callerOf({ caller }: Request): Caller {
  if (!caller) throw new Error('the route has no bearer guard');
  return caller;
}
