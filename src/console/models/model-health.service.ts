import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import { TargetHealthService } from '../../upstreams/health/target-health.service.js';
import { ModelActivityService } from '../../usage/reports/model-activity.service.js';
import { dayBefore } from '../shared/days.js';
import type { ModelHealthView } from './dto/model-health.view.js';
import { modelHealth } from './model-health.js';
import { suggestionRanks } from './suggestion-ranks.js';

export interface ModelStanding {
  readonly health: ModelHealthView;
  /** Among all models: 0 is suggested first. */
  readonly suggestionRank: number;
}

/** How the models of the catalog have answered recently, and which of them to suggest. */
@Injectable()
export class ModelHealthService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly activity: ModelActivityService,
    private readonly targets: TargetHealthService,
    private readonly clock: ClockService,
  ) {}

  /** By the model's id; all models of the catalog. */
  async all(): Promise<ReadonlyMap<string, ModelStanding>> {
    const activity = await this.activity.since(dayBefore(this.clock));
    const aside = this.targets.list();
    const models = this.catalog.all();
    const healths = new Map(models.map((model) => [model.id, modelHealth(model, activity.get(model.id), aside)]));
    const ranks = suggestionRanks(models, (id) => healths.get(id)?.status ?? 'unused');
    return new Map([...healths].map(([id, health]) => [id, { health, suggestionRank: ranks.get(id) ?? 0 }]));
  }
}
