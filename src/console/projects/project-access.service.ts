import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { ProjectRole } from '../../accounts/projects/project.types.js';
import { ProjectMembersService } from '../../accounts/projects/project-members.service.js';
import type { Session } from '../../accounts/session.types.js';
import { NotFoundError } from '../../common/not-found.error.js';
import { managerOnly } from '../shared/console.errors.js';

/** `see`: every member; `change`: managers. Administrators can do both. */
export type ProjectRight = 'see' | 'change';

/** A signed-in person's rights on projects. */
@Injectable()
export class ProjectAccessService {
  constructor(private readonly members: ProjectMembersService) {}

  /** The person's role in the project; administrators may have none. For others the project does not exist. */
  async assertMay(projectId: string, session: Session, right: ProjectRight): Promise<ProjectRole | null> {
    if (!isUUID(projectId)) throw noSuchProject();
    const role = await this.members.roleIn(projectId, session.user.id);
    if (session.user.role === 'admin') return role;
    if (role === null) throw noSuchProject();
    if (right === 'change' && role !== 'manager') throw managerOnly();
    return role;
  }
}

function noSuchProject(): NotFoundError {
  return new NotFoundError('The project does not exist.');
}
