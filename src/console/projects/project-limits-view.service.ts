import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { BudgetsService } from '../../limits/budgets.service.js';
import { LevelsService } from '../../limits/levels.service.js';
import { toShownLimits } from '../../limits/values/limit-values.js';
import type { OwnLimits } from '../../limits/values/limit-values.types.js';
import { rateViews } from '../limits/rate-views.js';
import type { ProjectLimitsView } from './dto/project.view.js';

@Injectable()
export class ProjectLimitsViewService {
  constructor(
    private readonly budgets: BudgetsService,
    private readonly levels: LevelsService,
    private readonly clock: ClockService,
  ) {}

  async view(projectId: string, { values, bounds }: OwnLimits): Promise<ProjectLimitsView> {
    const shown = toShownLimits(values);
    const [budgets, levels] = await Promise.all([
      this.budgets.of({ projects: [projectId] }),
      this.levels.of(new Map([[projectId, shown]])),
    ]);
    return {
      values: shown,
      bounds: toShownLimits(bounds),
      budgets: budgets.map(({ period, amountUsd, spentUsd, reservedUsd, uncoveredUsd, resetsAt }) => {
        const leftUsd = Math.max(0, Number((amountUsd - spentUsd - reservedUsd).toFixed(9)));
        return { period, amountUsd, spentUsd, reservedUsd, leftUsd, uncoveredUsd, resetsAt };
      }),
      rates: rateViews(levels.get(projectId), this.clock.now()),
    };
  }
}
