import { ApiProperty } from '@nestjs/swagger';
import { NumberOrNull, TextOrNull, TimeOrNull } from '../../dto/view-properties.js';

/** One budget of a user, key or project. */
export class BudgetStandingView {
  @ApiProperty({ enum: ['plan', 'user', 'key', 'project'], description: 'Where it is set.' })
  scope!: 'plan' | 'user' | 'key' | 'project';

  @ApiProperty({ description: 'The id of the key, project or user; for a plan’s budget, the id of the user.' })
  id!: string;

  @ApiProperty({ description: 'A user’s e-mail address, or the name of a key or project.' })
  name!: string;

  @TextOrNull('A user’s name, or a key’s display form.')
  detail!: string | null;

  @TextOrNull('The project whose budget, or whose plan’s, it is.')
  projectId!: string | null;

  @ApiProperty({ enum: ['day', 'month', 'total'], description: 'Days and months in UTC.' })
  period!: 'day' | 'month' | 'total';

  @ApiProperty()
  amountUsd!: number;

  @ApiProperty()
  spentUsd!: number;

  @ApiProperty({ description: 'Reserved by running calls.' })
  reservedUsd!: number;

  @NumberOrNull(
    'The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars.',
  )
  uncoveredUsd!: number | null;

  @TimeOrNull('When it resets; null: never.')
  resetsAt!: string | null;

  @NumberOrNull(
    'The expected spending at the end of the month, at the rate of the last seven days; only for monthly budgets.',
  )
  forecastUsd!: number | null;

  @TimeOrNull('When it will be used up at that rate; null: not before it resets, or not within a year.')
  runsOutAt!: Date | null;
}

export class BudgetStandingsView {
  @ApiProperty({ type: [BudgetStandingView], description: 'By the spent part, largest first.' })
  items!: BudgetStandingView[];

  @ApiProperty({ description: 'False if there are more owners of budgets; a smaller part of their budgets is spent.' })
  isComplete!: boolean;
}
