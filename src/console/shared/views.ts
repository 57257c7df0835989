import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { Project } from '../../accounts/project.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';

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

/** The common fields of every view of a user. */
export class PersonView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ description: 'May be empty.' })
  name!: string;

  @ApiProperty({ enum: ['admin', 'member'] })
  role!: 'admin' | 'member';
}

/** The project that a key or service account belongs to. */
export class ProjectRefView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;
}

export function toProjectRef(project: Project | undefined): ProjectRefView | null {
  return project ? { id: project.id, name: project.name } : null;
}

/** The spending of a key or a user. */
export class SpendingView {
  @ApiProperty({ description: 'Integer nano-dollars.', example: '1250000' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in US dollars, as a number.' })
  costUsd!: number;

  @Integer()
  calls!: number;
}

const NANODOLLARS = 1e9;
const NOTHING: UsageTotals = { calls: 0, costNanodollars: 0n };

/** US dollars as a number, for views. */
export function toDollars(nanodollars: bigint | number): number {
  return Number(nanodollars) / NANODOLLARS;
}

/** The exact cost, and the same in dollars. */
export function toCost(nanodollars: bigint): { costNanodollars: string; costUsd: number } {
  return { costNanodollars: String(nanodollars), costUsd: toDollars(nanodollars) };
}

/** This month's spending in the views of keys and users; without totals it is zero. */
export function toSpending({ calls, costNanodollars }: UsageTotals = NOTHING) {
  return { ...toCost(costNanodollars), calls };
}
