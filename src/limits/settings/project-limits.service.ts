import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { NotFoundError } from '../../common/not-found.error.js';
import { UsageError } from '../../common/usage.error.js';
import { notifyCallerChanged } from '../../database/caller-changes.js';
import type { LimitValues } from '../values/limit.types.js';
import { type LimitChange, NO_LIMITS } from '../values/limit-values.js';
import { LimitValuesService } from '../values/limit-values.service.js';
import type { OwnLimits } from '../values/limit-values.types.js';
import { checkWithinBounds } from './limit-bounds.js';

const LOCK = 'SELECT name, archived_at IS NOT NULL AS "isArchived" FROM projects WHERE id = $1 FOR UPDATE';

/** The limits of projects: all keys of a project count together. */
@Injectable()
export class ProjectLimitsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly limits: LimitValuesService,
    private readonly audit: AuditService,
  ) {}

  /** Projects without limits are missing. */
  of(projectIds: readonly string[]): Promise<Map<string, OwnLimits>> {
    return this.limits.of('project', projectIds);
  }

  get(projectId: string): Promise<OwnLimits> {
    return this.limits.get('project', projectId);
  }

  /** The limits of a user's project; null if the user belongs to none. */
  async ofUser(userId: string, manager: Pick<EntityManager, 'query'> = this.dataSource): Promise<LimitValues | null> {
    const query = 'SELECT project_id AS id FROM users WHERE id = $1 AND project_id IS NOT NULL';
    const [project]: { id: string }[] = await manager.query(query, [userId]);
    if (!project) return null;
    const own = await this.limits.get('project', project.id, manager);
    return { ...NO_LIMITS, ...own.values };
  }

  /** `binds`: an administrator sets the limits, and managers can only narrow them. Takes effect within a second. */
  async set(projectId: string, change: LimitChange, binds: boolean, actor: Actor): Promise<OwnLimits> {
    return this.dataSource.transaction(async (manager) => {
      const [project]: { name: string; isArchived: boolean }[] = await manager.query(LOCK, [projectId]);
      if (!project) throw new NotFoundError('The project does not exist.');
      if (project.isArchived) throw new UsageError(`The project ${project.name} is archived and cannot be changed.`);
      const present = await this.limits.get('project', projectId, manager);
      if (!binds) checkWithinBounds(present, change, 'project');
      const set = await this.limits.change(manager, { scope: 'project', subject: projectId, binds }, change);
      if (!set) return present;
      const target = { kind: 'project', id: projectId, name: project.name } as const;
      await this.audit.record(manager, actor, { action: 'project.limits', target, ...set });
      await notifyCallerChanged(manager, 'project', projectId);
      return this.limits.get('project', projectId, manager);
    });
  }
}
