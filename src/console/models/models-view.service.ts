import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { ModelView } from './dto/model.dto.js';
import { toModelView } from './model.view.js';
import { ModelHealthService } from './model-health.service.js';

/** The catalog for a signed-in person: the models of the person's plan. */
@Injectable()
export class ModelsViewService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly plans: PlansService,
    private readonly healths: ModelHealthService,
  ) {}

  async list({ user }: Session): Promise<ModelView[]> {
    const [{ plan }, healths] = await Promise.all([this.plans.current(user.id), this.healths.all()]);
    const shown = user.role === 'admin' ? this.catalog.all() : this.catalog.list({ plan, models: null });
    return shown.flatMap((model) => {
      const standing = healths.get(model.id);
      return standing ? [toModelView(model, this.catalog.obstacleTo(plan, model), standing)] : [];
    });
  }
}
