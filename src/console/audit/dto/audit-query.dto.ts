import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsInstant } from '../../dto/is-instant.js';

function FilterText(description: string, example?: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, ...(example !== undefined && { example }) }),
    IsOptional(),
    IsString(),
    MaxLength(200),
    Matches(/^[^\0]*$/, { message: '$property must be text' }),
  );
}

function FilterInstant(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ description, format: 'date-time' }), IsOptional(), IsInstant());
}

/** Filters of the audit log. */
export class AuditFilterQuery {
  @FilterInstant('From this instant on.')
  from?: string;

  @FilterInstant('Before this instant.')
  to?: string;

  @FilterText('A user’s id, or a part of the name of who did it.', 'admin@example.com')
  actor?: string;

  @FilterText('An action, or a kind of them.', 'key.create')
  action?: string;

  @FilterText('A kind of thing, or one thing by its id.', 'user:1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed')
  target?: string;

  @FilterText('A part of who, what, the address or the request id.')
  q?: string;
}

export class AuditQuery extends AuditFilterQuery {
  @FilterText('`next` of the page before.')
  cursor?: string;
}

export const AUDIT_FORMATS = ['csv', 'json'] as const;

export class AuditExportQuery extends AuditFilterQuery {
  @ApiPropertyOptional({ enum: AUDIT_FORMATS, default: 'csv' })
  @IsIn(AUDIT_FORMATS)
  format: (typeof AUDIT_FORMATS)[number] = 'csv';
}
