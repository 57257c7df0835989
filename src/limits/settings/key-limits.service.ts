import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LimitChange } from '../values/limit-values.js';
import { LimitValuesService } from '../values/limit-values.service.js';
import type { LimitDifference, OwnLimits } from '../values/limit-values.types.js';
import { checkWithinBounds, checkWithinOwner } from './limit-bounds.js';
import { ProjectLimitsService } from './project-limits.service.js';
import { UserLimitsService } from './user-limits.service.js';

interface LimitedKey {
  readonly id: string;
  readonly userId: string;
}

@Injectable()
export class KeyLimitsService {
  constructor(
    private readonly limits: LimitValuesService,
    private readonly users: UserLimitsService,
    private readonly projects: ProjectLimitsService,
  ) {}

  /** The limits of each key; keys without any are missing. */
  of(keyIds: readonly string[]): Promise<Map<string, OwnLimits>> {
    return this.limits.of('key', keyIds);
  }

  /**
   * Runs in the transaction that has locked the key. `isOwner`: the change is by the owner or a manager of the project.
   * A change by anyone else binds them. Null: nothing changed.
   */
  async change(
    manager: EntityManager,
    { id, userId }: LimitedKey,
    change: LimitChange,
    isOwner: boolean,
  ): Promise<LimitDifference | null> {
    if (Object.keys(change).length === 0) return null;
    if (isOwner) await this.checkWithin(manager, { id, userId }, change);
    return this.limits.change(manager, { scope: 'key', subject: id, binds: !isOwner }, change);
  }

  /** Owners cannot exceed their own limits or those that others set for the key. */
  private async checkWithin(manager: EntityManager, { id, userId }: LimitedKey, change: LimitChange): Promise<void> {
    const own = await this.limits.get('key', id, manager);
    checkWithinBounds(own, change, 'key');
    const project = await this.projects.ofUser(userId, manager);
    const owner = await this.users.get(userId, manager);
    checkWithinOwner(own.values, change, owner.values, project ? 'plan' : 'self');
    if (project) checkWithinOwner(own.values, change, project, 'project');
  }
}
