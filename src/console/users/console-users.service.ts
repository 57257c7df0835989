import { Injectable } from '@nestjs/common';
import { PasswordLinksService } from '../../accounts/password-links.service.js';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import type { User } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import { listPage } from '../lists/list-page.js';
import { toProjectRef } from '../shared/project-ref.js';
import type { UserPageView, UserView } from './dto/user-view.dto.js';
import type { UsersQuery } from './dto/users-query.dto.js';
import { toUserView } from './user.view.js';
import { type ListedUser, UserListService } from './user-list.service.js';

/** Users with the details that administrators need: a few queries per page. */
@Injectable()
export class ConsoleUsersService {
  constructor(
    private readonly lists: UserListService,
    private readonly links: PasswordLinksService,
    private readonly projects: ProjectsService,
    private readonly plans: PlansService,
    private readonly keys: ApiKeysService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async list(query: UsersQuery): Promise<UserPageView> {
    const { cursor, limit } = query;
    const found = await this.lists.page(query, limit + 1);
    const toViews = (listed: readonly ListedUser[]) => this.withFacts(listed.map(({ user }) => user));
    return listPage({ cursor, limit, found, toViews, count: () => this.lists.count(query) });
  }

  async view(user: User): Promise<UserView> {
    const [view] = await this.withFacts([user]);
    if (!view) throw new Error('a user has a view');
    return view;
  }

  private async withFacts(users: readonly User[]): Promise<UserView[]> {
    const ids = users.map(({ id }) => id);
    const [plans, keys, totals, invited, projects] = await Promise.all([
      this.plans.currentOf(ids),
      this.keys.countActiveByUser(ids),
      this.totals.byUser(ids, utcPeriodOf('month', this.clock.date()).from),
      this.links.invitedAmong(ids),
      this.projects.byId(users.flatMap(({ projectId }) => projectId ?? [])),
    ]);
    return users.map((user) => {
      const plan = plans.get(user.id);
      if (!plan) throw new Error('every user has a plan');
      const isInvited = user.source === 'local' && !user.hasPassword && invited.has(user.id);
      const project = toProjectRef(projects.get(user.projectId ?? ''));
      const spent = totals.get(user.id);
      return toUserView(user, { plan, keys: keys.get(user.id) ?? 0, spent, isInvited, project });
    });
  }
}
