import { applyDecorators, Controller, UseGuards, UsePipes } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConsoleBodyGuard } from '../shared/console-body.guard.js';
import { consoleValidation } from '../shared/console-validation.js';
import { ConsoleGuard } from './console.guard.js';

/**
 * A controller of the console's API: `@ConsoleController('keys')` serves `/api/keys`; each route's `@Role` says who can
 * call it.
 */
export function ConsoleController(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(`api/${path}`),
    UseGuards(ConsoleGuard, ConsoleBodyGuard),
    UsePipes(consoleValidation()),
    ApiTags(tag),
  );
}
