import { applyDecorators, Controller, UseGuards, UsePipes } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConsoleBodyGuard } from './console-body.guard.js';
import { consoleValidation } from './console-validation.js';
import { ConsoleGuard } from './session/console.guard.js';

/** A controller of the console's API: `@ConsoleController('keys')` serves `/api/keys`, for whom each route's `@Role` says. */
export function ConsoleController(path: string, tag: string): ClassDecorator {
  return applyDecorators(
    Controller(`api/${path}`),
    UseGuards(ConsoleGuard, ConsoleBodyGuard),
    UsePipes(consoleValidation()),
    ApiTags(tag),
  );
}
