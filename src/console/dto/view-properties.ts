import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

// Properties of views whose type the class does not show at run time: whole numbers, and everything that can be null.

export const Integer = property({ type: 'integer' });
export const IntegerOrNull = property({ type: 'integer', nullable: true });
export const NumberOrNull = property({ type: Number, nullable: true });
export const TextOrNull = property({ type: String, nullable: true });
export const TextsOrNull = property({ type: [String], nullable: true });
export const IdOrNull = property({ type: String, format: 'uuid', nullable: true });
export const TimeOrNull = property({ type: String, format: 'date-time', nullable: true });

export function ViewOrNull(type: Type, description?: string): PropertyDecorator {
  return property({ type, nullable: true })(description);
}

function property(options: ApiPropertyOptions): (description?: string) => PropertyDecorator {
  return (description) => ApiProperty({ ...options, ...(description !== undefined && { description }) });
}
