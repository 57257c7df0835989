import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';

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
