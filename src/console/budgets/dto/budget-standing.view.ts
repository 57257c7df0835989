import { ApiProperty } from '@nestjs/swagger';

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

/** One budget of a user, key or project. */
export class BudgetStandingView {
  @ApiProperty({ enum: ['plan', 'user', 'key', 'project'], description: 'Where it is set.' })
  scope!: 'plan' | 'user' | 'key' | 'project';

  @ApiProperty({ description: 'The id of the key, project or user; of a plan’s budget, the user’s.' })
  id!: string;

  @ApiProperty({ description: 'A user’s e-mail address, or the name of a key or project.' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'A user’s name, or a key’s display form.' })
  detail!: string | null;

  @ApiProperty({ enum: ['day', 'month', 'total'], description: 'Days and months in UTC.' })
  period!: 'day' | 'month' | 'total';

  @ApiProperty()
  amountUsd!: number;

  @ApiProperty()
  spentUsd!: number;

  @ApiProperty({ description: 'Reserved by running calls.' })
  reservedUsd!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars.',
  })
  uncoveredUsd!: number | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null: never.' })
  resetsAt!: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'What will be spent at the month’s end, at the pace of the last seven days; only for months.',
  })
  forecastUsd!: number | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When it will be used up at that pace; null: not before it resets, or not within a year.',
  })
  runsOutAt!: string | null;
}

export class BudgetStandingsView {
  @ApiProperty({ type: [BudgetStandingView], description: 'The fullest first.' })
  items!: BudgetStandingView[];

  @ApiProperty({ description: 'False: there are more owners of budgets, and theirs are spent less.' })
  isComplete!: boolean;
}
