import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import type { Session } from '../../accounts/session.types.js';
import type { Plan } from '../../billing/plan.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { Model } from '../../models/model.types.js';
import { ProjectAccessService } from '../projects/project-access.service.js';
import type { ModelView } from './dto/model.dto.js';
import { toModelView } from './model.view.js';
import { ModelHealthService } from './model-health.service.js';

/** The catalog for a signed-in person: the models of the person's plan. */
@Injectable()
export class ModelsViewService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly plans: PlansService,
    private readonly projects: ProjectsService,
    private readonly access: ProjectAccessService,
    private readonly healths: ModelHealthService,
  ) {}

  async list({ user }: Session): Promise<ModelView[]> {
    const { plan } = await this.plans.current(user.id);
    const shown = user.role === 'admin' ? this.catalog.all() : this.catalog.list({ plan, models: null });
    return this.toViews(shown, plan);
  }

  async ofProject(projectId: string, session: Session): Promise<ModelView[]> {
    await this.access.assertMay(projectId, session, 'see');
    const { userId } = await this.projects.get(projectId);
    const { plan } = await this.plans.current(userId);
    return this.toViews(this.catalog.list({ plan, models: null }), plan);
  }

  private async toViews(models: readonly Model[], plan: Plan): Promise<ModelView[]> {
    const healths = await this.healths.all();
    return models.flatMap((model) => {
      const standing = healths.get(model.id);
      return standing ? [toModelView(model, this.catalog.obstacleTo(plan, model), standing)] : [];
    });
  }
}
