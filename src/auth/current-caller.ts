import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from './caller.types.js';

/** The caller that the bearer guard found: `@CurrentCaller() caller: Caller`. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('@CurrentCaller() stands on a route without the bearer guard');
  return caller;
});
