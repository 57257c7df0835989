import { applyDecorators, Controller, HttpCode, type Type, UseGuards, UsePipes } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConsoleBodyGuard } from '../shared/console-body.guard.js';
import { consoleValidation } from '../shared/console-validation.js';
import { ConsoleGuard } from './console.guard.js';
import { Role, type RouteRole } from './role.js';

/**
 * A controller of the console's API: `@ConsoleController('keys', 'API keys', 'member')` serves `/api/keys` for members.
 * A `@Role` at a route overrides the role.
 */
export function ConsoleController(path: string, tag: string, role: RouteRole): ClassDecorator {
  return applyDecorators(
    Controller(`api/${path}`),
    UseGuards(ConsoleGuard, ConsoleBodyGuard),
    UsePipes(consoleValidation()),
    ApiTags(tag),
    Role(role),
  );
}

interface Details {
  readonly description?: string;
  readonly status?: 200 | 201;
}

/** A route that answers with this view, or a list of it; described in the OpenAPI document. */
export function Returns(
  type: Type | [Type],
  summary: string,
  { status = 200, ...details }: Details = {},
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary, ...details }), ApiResponse({ status, type }));
}

/** A route that answers without content. */
export function ReturnsNothing(summary: string, details: Pick<Details, 'description'> = {}): MethodDecorator {
  return applyDecorators(HttpCode(204), ApiOperation({ summary, ...details }), ApiNoContentResponse());
}
