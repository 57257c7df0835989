import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import type { UserLimits } from '../../billing/limit-values.types.js';
import { UserLimitsService } from '../../billing/user-limits.service.js';
import { type LimitWishes, toLimitChange, toShownLimits } from '../../common/limit-values.js';
import type { UserLimitsView } from './dto/user-limits.view.js';

/** What limits a user, as the console shows and sets it. */
@Injectable()
export class ConsoleLimitsService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: UserLimitsService,
  ) {}

  async of(userId: string): Promise<UserLimitsView> {
    const { id } = await this.users.get(userId);
    return toView(await this.limits.get(id));
  }

  async set(userId: string, wishes: LimitWishes, actor: Actor): Promise<UserLimitsView> {
    const change = toLimitChange(wishes, { allowsPlan: true, fieldOf: String });
    const { id } = await this.users.get(userId);
    return toView(await this.limits.set(id, change, actor));
  }
}

function toView({ own, plan, values }: UserLimits): UserLimitsView {
  return { own: toShownLimits(own, 'plan' as const), plan: toShownLimits(plan), values: toShownLimits(values) };
}
