import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Permission } from '../../accounts/permissions.js';
import type { ProjectMember, ProjectRole } from '../../accounts/project.types.js';
import { ProjectMembersService } from '../../accounts/project-members.service.js';
import { ProjectsService } from '../../accounts/projects.service.js';
import { labelOf, type Session, type User, type Viewer } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { NotFoundError, UsageError } from '../../common/usage.error.js';
import { ClockService } from '../../database/clock.service.js';
import { LevelsService } from '../../limits/budget-levels.service.js';
import { BudgetsService } from '../../limits/budgets.service.js';
import { ProjectLimitsService } from '../../limits/settings/limit-settings.service.js';
import { type LimitInputs, type OwnLimits, toLimitChange, toShownLimits } from '../../limits/values/limit-values.js';
import { rateViews } from '../limits/limits.view.js';
import type { SignedIn } from '../session/current-session.js';
import { listPage } from '../shared/lists.js';
import { adminOnly, insufficientPermissions, managerOnly } from '../shared/validation.js';
import type {
  CreateProjectDto,
  NewProjectMemberDto,
  ProjectDetailView,
  ProjectLimitsView,
  ProjectMemberView,
  ProjectPageView,
  ProjectsQuery,
} from './project.view.js';
import {
  type ListedProject,
  ProjectFactsService,
  ProjectListService,
  toProjectBudget,
} from './project-list.service.js';

/** A signed-in person's rights on projects. */
@Injectable()
export class ProjectAccessService {
  constructor(private readonly members: ProjectMembersService) {}

  /** The person's role in the project; administrators may have none. For others the project does not exist. */
  async assertMay(projectId: string, { user, rights }: Viewer, permission: Permission): Promise<ProjectRole | null> {
    if (!isUUID(projectId)) throw noSuchProject();
    const role = await this.members.roleIn(projectId, user.id);
    if (rights.mayIn(role, permission)) return role;
    if (!rights.hasScope(permission)) throw insufficientPermissions(permission);
    throw role === null ? noSuchProject() : managerOnly();
  }
}

function noSuchProject(): NotFoundError {
  return new NotFoundError('The project does not exist.');
}

/** Projects in the console, within the rights of the signed-in person. */
@Injectable()
export class ConsoleProjectsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly lists: ProjectListService,
    private readonly facts: ProjectFactsService,
    private readonly access: ProjectAccessService,
    private readonly members: ProjectMembersService,
    private readonly users: UsersService,
    private readonly plans: PlansService,
    private readonly limits: ProjectLimitsService,
    private readonly budgets: BudgetsService,
    private readonly levels: LevelsService,
    private readonly clock: ClockService,
  ) {}

  async list(query: ProjectsQuery, session: Session): Promise<ProjectPageView> {
    const { scope, cursor, limit } = query;
    if (scope === 'all' && !session.rights.mayAll('projects.read')) throw adminOnly();
    const memberId = scope === 'all' ? null : session.user.id;
    const found = await this.lists.page(query, memberId, limit + 1);
    const toViews = (listed: readonly ListedProject[]) =>
      this.facts.views(
        listed.map(({ project }) => project),
        session,
      );
    return listPage({ cursor, limit, found, toViews, count: () => this.lists.count(query, memberId) });
  }

  async get(id: string, session: Session): Promise<ProjectDetailView> {
    await this.access.assertMay(id, session, 'projects.read');
    return this.detail(id, session);
  }

  private async detail(id: string, session: Session): Promise<ProjectDetailView> {
    const [view] = await this.facts.views([await this.projects.get(id)], session);
    if (!view) throw new Error('every project has a view');
    const [memberList, limits] = await Promise.all([this.memberViews(id), this.limits.get(id)]);
    return { ...view, memberList, limits: await this.limitsView(id, limits) };
  }

  /** All of it or nothing. */
  async create({ name, planId, ...body }: CreateProjectDto, session: SignedIn): Promise<ProjectDetailView> {
    const { rights, actor } = session;
    if (planId !== undefined && !rights.mayAll('plans.write')) throw insufficientPermissions('plans.write');
    if (body.limits !== undefined && !rights.mayAll('limits.write')) throw insufficientPermissions('limits.write');
    const limits = toLimitChange(body.limits ?? {});
    const managers = await this.managersOf(body.managers ?? []);
    const { id } = await this.projects.create(name, actor, async (manager, project) => {
      for (const user of managers) await this.members.setWithin(manager, project.id, user, 'manager', actor);
      const grant = { userId: project.userId, planId: planId ?? '', until: null, source: 'console' };
      if (planId !== undefined) await this.plans.grantWithin(manager, grant, actor);
      await this.limits.setWithin(manager, project.id, limits, true, actor);
    });
    return this.detail(id, session);
  }

  private async managersOf(emails: readonly string[]): Promise<User[]> {
    const managers = new Map<string, User>();
    for (const [at, email] of emails.entries()) {
      const param = `managers[${at}]`;
      const user = await this.users.getByEmail(email).catch((error: unknown) => {
        throw error instanceof UsageError ? new UsageError(error.message, param) : error;
      });
      if (user.kind !== 'person') throw new UsageError('Only people can be members of a project.', param);
      managers.set(user.id, user);
    }
    return [...managers.values()];
  }

  async rename(id: string, name: string, session: SignedIn): Promise<ProjectDetailView> {
    await this.access.assertMay(id, session, 'projects.write');
    await this.projects.rename(id, name, session.actor);
    return this.detail(id, session);
  }

  async archive(id: string, session: SignedIn): Promise<ProjectDetailView> {
    await this.projects.archive(id, session.actor);
    return this.detail(id, session);
  }

  /** Managers cannot list users, so they name people by e-mail address. */
  async addMember(id: string, { email, role }: NewProjectMemberDto, session: SignedIn): Promise<ProjectMemberView[]> {
    await this.access.assertMay(id, session, 'projects.write');
    const { id: userId } = await this.users.getByEmail(email);
    return this.setMember(id, userId, role, session);
  }

  async member(id: string, userId: string, session: Session): Promise<ProjectMemberView> {
    await this.access.assertMay(id, session, 'projects.read');
    const member = (await this.memberViews(id)).find((one) => one.userId === userId);
    if (!member) throw new NotFoundError('This user is not a member of the project.');
    return member;
  }

  async setMember(
    id: string,
    userId: string,
    role: ProjectRole | null,
    session: SignedIn,
  ): Promise<ProjectMemberView[]> {
    await this.access.assertMay(id, session, 'projects.write');
    if (role === null) await this.members.remove(id, userId, session.actor);
    else await this.members.set(id, userId, role, session.actor);
    return this.memberViews(id);
  }

  /** Limits set by administrators are upper bounds for those that managers set. */
  async setLimits(id: string, inputs: LimitInputs, session: SignedIn): Promise<ProjectLimitsView> {
    await this.access.assertMay(id, session, 'limits.write');
    const change = toLimitChange(inputs, { fieldOf: String });
    const isAdmin = session.rights.mayAll('limits.write');
    const project = await this.projects.get(id);
    return this.limitsView(project.id, await this.limits.set(project.id, change, isAdmin, session.actor));
  }

  private async limitsView(projectId: string, { values, bounds }: OwnLimits): Promise<ProjectLimitsView> {
    const shown = toShownLimits(values);
    const [budgets, levels] = await Promise.all([
      this.budgets.of({ projects: [projectId] }),
      this.levels.of(new Map([[projectId, shown]])),
    ]);
    return {
      values: shown,
      bounds: toShownLimits(bounds),
      budgets: budgets.map(toProjectBudget),
      rates: rateViews(levels.get(projectId), this.clock.now()),
    };
  }

  private async memberViews(id: string): Promise<ProjectMemberView[]> {
    return (await this.members.of(id)).map(toMemberView);
  }
}

function toMemberView({ user, role, source }: ProjectMember): ProjectMemberView {
  const { id: userId, name, disabledAt } = user;
  return { userId, email: labelOf(user), name, role, source, disabled: disabledAt !== null };
}
