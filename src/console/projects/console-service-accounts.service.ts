import { Injectable } from '@nestjs/common';
import { ServiceAccountsService } from '../../accounts/projects/service-accounts.service.js';
import type { Session } from '../../accounts/session.types.js';
import type { User } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { ClockService } from '../../database/clock.service.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import type { SignedIn } from '../session/current-session.js';
import { toSpending } from '../shared/spending.js';
import type { ServiceAccountView } from './dto/project.view.js';
import type { ServiceAccountDto } from './dto/project-requests.dto.js';
import { ProjectAccessService } from './project-access.service.js';

/** Service accounts of projects, within the rights of the signed-in person. */
@Injectable()
export class ConsoleServiceAccountsService {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly access: ProjectAccessService,
    private readonly keys: ApiKeysService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async list(projectId: string, session: Session): Promise<ServiceAccountView[]> {
    await this.access.assertMay(projectId, session, 'see');
    return this.toViews(await this.accounts.of(projectId));
  }

  async create(projectId: string, name: string, session: SignedIn): Promise<ServiceAccountView> {
    await this.access.assertMay(projectId, session, 'change');
    return this.toView(await this.accounts.create(projectId, name, session.actor));
  }

  async update(
    projectId: string,
    id: string,
    change: ServiceAccountDto,
    session: SignedIn,
  ): Promise<ServiceAccountView> {
    await this.access.assertMay(projectId, session, 'change');
    return this.toView(await this.accounts.update(projectId, id, change, session.actor));
  }

  private async toView(user: User): Promise<ServiceAccountView> {
    const [view] = await this.toViews([user]);
    if (!view) throw new Error('every service account has a view');
    return view;
  }

  private async toViews(users: readonly User[]): Promise<ServiceAccountView[]> {
    const ids = users.map(({ id }) => id);
    const [keys, spent] = await Promise.all([
      this.keys.countActiveByUser(ids),
      this.totals.byUser(ids, utcPeriodOf('month', this.clock.date()).from),
    ]);
    return users.map(({ id, name, disabledAt, createdAt }) => ({
      ...{ id, name, disabled: disabledAt !== null, keys: keys.get(id) ?? 0, createdAt },
      spentThisMonth: toSpending(spent.get(id)),
    }));
  }
}
