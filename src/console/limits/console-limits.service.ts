import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { UserLimitsService } from '../../limits/settings/user-limits.service.js';
import { type LimitInputs, toLimitChange, toShownLimits } from '../../limits/values/limit-values.js';
import type { UserLimits } from '../../limits/values/limit-values.types.js';
import type { UserLimitsView } from './dto/user-limits.view.js';
import { LimitUseService } from './limit-use.service.js';

/** A user's limits, as shown and set in the console. */
@Injectable()
export class ConsoleLimitsService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: UserLimitsService,
    private readonly use: LimitUseService,
  ) {}

  async of(userId: string): Promise<UserLimitsView> {
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.get(id));
  }

  async set(userId: string, inputs: LimitInputs, actor: Actor): Promise<UserLimitsView> {
    const change = toLimitChange(inputs, { allowsPlan: true, fieldOf: String });
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.set(id, change, actor));
  }

  private async toView(userId: string, { own, plan, values }: UserLimits): Promise<UserLimitsView> {
    const shown = toShownLimits(values);
    const useOf = await this.use.of('user', new Map([[userId, shown]]));
    return {
      own: toShownLimits(own, 'plan' as const),
      plan: toShownLimits(plan),
      values: shown,
      ...useOf(userId),
    };
  }
}
