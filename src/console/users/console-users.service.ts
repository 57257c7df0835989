import { Injectable } from '@nestjs/common';
import { PasswordLinksService } from '../../accounts/password-links.service.js';
import type { User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { utcPeriodOf } from '../../common/utc-periods.js';
import { ClockService } from '../../database/clock.service.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import type { UserView } from './dto/user-view.dto.js';
import { toUserView } from './user.view.js';

/** Users with what an administrator wants to know of them: a handful of queries, however many users there are. */
@Injectable()
export class ConsoleUsersService {
  constructor(
    private readonly users: UsersService,
    private readonly links: PasswordLinksService,
    private readonly plans: PlansService,
    private readonly keys: ApiKeysService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async list(): Promise<UserView[]> {
    return this.withFacts(await this.users.list());
  }

  async view(user: User): Promise<UserView> {
    const [view] = await this.withFacts([user]);
    if (!view) throw new Error('a user has a view');
    return view;
  }

  private async withFacts(users: readonly User[]): Promise<UserView[]> {
    const ids = users.map(({ id }) => id);
    const [plans, keys, totals, invited] = await Promise.all([
      this.plans.currentOf(ids),
      this.keys.countActiveByUser(ids),
      this.totals.byUser(ids, utcPeriodOf('month', this.clock.date()).from),
      this.links.invited(),
    ]);
    return users.map((user) => {
      const plan = plans.get(user.id);
      if (!plan) throw new Error('every user has a plan');
      const isInvited = user.source === 'local' && !user.hasPassword && invited.has(user.id);
      return toUserView(user, { plan, keys: keys.get(user.id) ?? 0, spent: totals.get(user.id), isInvited });
    });
  }
}
