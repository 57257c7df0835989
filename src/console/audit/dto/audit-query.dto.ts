import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsInstant } from '../../dto/is-instant.js';
import { OptionalChoice } from '../../dto/request-fields.js';

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
  @FilterInstant('Entries from this time on.')
  from?: string;

  @FilterInstant('Entries before this time.')
  to?: string;

  @FilterText('The actor: a user’s id, or part of the name.', 'admin@example.com')
  actor?: string;

  @FilterText('An action, or a kind of actions.', 'key.create')
  action?: string;

  @FilterText('A kind of target, or one target by its id.', 'user:1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed')
  target?: string;

  @FilterText('Part of the actor, action, target, address or request id.')
  q?: string;
}

export class AuditQuery extends AuditFilterQuery {
  @FilterText('`next` of the previous page.')
  cursor?: string;
}

export const AUDIT_FORMATS = ['csv', 'json'] as const;

export class AuditExportQuery extends AuditFilterQuery {
  @OptionalChoice(AUDIT_FORMATS, { default: 'csv' })
  format: (typeof AUDIT_FORMATS)[number] = 'csv';
}
