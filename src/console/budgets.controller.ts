import { Get, Injectable, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../accounts/user.types.js';
import { FullestBudgetsService, isNearlySpent, type RankedBudget } from '../limits/budget-levels.service.js';
import type { LimitScope } from '../limits/values/limit-values.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentSession } from './session/current-session.js';
import { OptionalChoice, type OwnerScope } from './shared/fields.js';
import { NumberOrNull, TextOrNull, TimeOrNull } from './shared/views.js';
import { UsageLabelsService, UsageScopeService } from './usage/usage-scope.service.js';

const MAX_OWNERS = 500;

/** The budgets of which the largest part is spent, with the names of their owners. */
@Injectable()
export class BudgetStandingsService {
  constructor(
    private readonly budgets: FullestBudgetsService,
    private readonly labels: UsageLabelsService,
    private readonly scope: UsageScopeService,
  ) {}

  async list(scope: OwnerScope, session: Session): Promise<BudgetStandingsView> {
    return this.view(await this.budgets.list(MAX_OWNERS, await this.scope.ownersIn(scope, session, 'usage.read')));
  }

  /** Those that the person is to know of: own ones, and those of projects that the person manages. */
  async notices(session: Session): Promise<BudgetStandingsView> {
    const budgets = await this.budgets.list(MAX_OWNERS, await this.scope.managedOwners(session));
    return this.view(budgets.filter(isNearlySpent));
  }

  private async view(budgets: readonly RankedBudget[]): Promise<BudgetStandingsView> {
    const idsOf = (...scopes: LimitScope[]) => budgets.flatMap(({ scope, id }) => (scopes.includes(scope) ? [id] : []));
    const [key, project, user, projectOf] = await Promise.all([
      this.labels.ofKeys(idsOf('key')),
      this.labels.ofProjects(idsOf('project')),
      this.labels.ofUsers(idsOf('plan', 'user')),
      this.labels.projectOf(idsOf('plan', 'user')),
    ]);
    const labelOf = { key, project, user, plan: user };
    return {
      items: budgets.map((budget) => {
        const { label: name, detail } = labelOf[budget.scope](budget.id);
        const projectId = budget.scope === 'project' ? budget.id : (projectOf(budget.id)?.id ?? null);
        return { ...budget, name, detail, projectId };
      }),
      isComplete: new Set(budgets.map(({ id }) => id)).size < MAX_OWNERS,
    };
  }
}

class BudgetsQuery {
  @OptionalChoice(['mine', 'projects', 'all'], {
    description:
      "Whose budgets: your own, those of the projects that you are a member of, or for admins everyone's. Default: all that you may see.",
  })
  scope?: OwnerScope;
}

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

  @TextOrNull('The project whose budget, or whose plan’s or service account’s, it is.')
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
    'The expected spending at the end of the month, at the rate of the last days with data, at most seven; only for monthly budgets.',
  )
  forecastUsd!: number | null;

  @TimeOrNull(
    'When it will be used up at that rate, of daily budgets at that of the last hour; null: not before it resets, or not within a year.',
  )
  runsOutAt!: Date | null;

  @NumberOrNull('The days with data that the forecast is made from; null for daily budgets, which use the last hour.')
  historyDays!: number | null;
}

class BudgetStandingsView {
  @ApiProperty({ type: [BudgetStandingView], description: 'By the spent part, largest first.' })
  items!: BudgetStandingView[];

  @ApiProperty({ description: 'False if there are more owners of budgets; a smaller part of their budgets is spent.' })
  isComplete!: boolean;
}

@ConsoleController('budgets', 'Limits', ['usage.read', 'own'])
export class BudgetsController {
  constructor(private readonly standings: BudgetStandingsService) {}

  @Get()
  @Returns(BudgetStandingsView, 'The budgets of which the largest part is spent, with a forecast', {
    description:
      'Budgets of up to 500 users, keys and projects that have spent something in the period. Those of projects include the budgets of their service accounts and keys.',
  })
  list(@Query() { scope }: BudgetsQuery, @CurrentSession() session: Session): Promise<BudgetStandingsView> {
    return this.standings.list(scope ?? (session.rights.mayAll('usage.read') ? 'all' : 'mine'), session);
  }

  @Get('notices')
  @Returns(BudgetStandingsView, 'Your budgets, and those of projects that you manage, of which 80 % or more is spent', {
    description: 'Also budgets whose rest does not cover a call that was refused.',
  })
  notices(@CurrentSession() session: Session): Promise<BudgetStandingsView> {
    return this.standings.notices(session);
  }
}
