import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { ModelView } from './dto/model.dto.js';
import { toModelView } from './model.view.js';

/** The catalog for a signed-in person: the models of the person's plan. */
@Injectable()
export class ModelsViewService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly plans: PlansService,
  ) {}

  async list({ user }: Session): Promise<ModelView[]> {
    const { plan } = await this.plans.current(user.id);
    const shown = user.role === 'admin' ? this.catalog.all() : this.catalog.list({ plan, models: null });
    return shown.map((model) => toModelView(model, this.catalog.obstacleTo(plan, model)));
  }
}
