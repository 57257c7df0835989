import { Injectable } from '@nestjs/common';
import type { Permission } from '../../accounts/permissions.js';
import type { ProjectRole } from '../../accounts/project.types.js';
import { ProjectMembersService } from '../../accounts/project-members.service.js';
import { ProjectsService } from '../../accounts/projects.service.js';
import { ServiceAccountsService } from '../../accounts/service-accounts.service.js';
import type { Session, User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { ApiKeyRef } from '../../auth/api-key.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { invalidRequest } from '../../common/gateway.error.js';
import { CatalogService } from '../../models/catalog.service.js';
import { ProjectAccessService } from '../projects/console-projects.service.js';
import { adminOnly, managerOnly } from '../shared/validation.js';

interface RequestedOwner {
  readonly userId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly serviceAccountId?: string | undefined;
}

interface KeyOwner {
  readonly owner: User;
  /** Within the bounds that administrators set for the project. */
  readonly byManager: boolean;
}

/**
 * A signed-in person's rights on keys. People can change their own keys. Members of a project can see its keys,
 * managers can change them. Admins can change all keys.
 */
@Injectable()
export class KeyRightsService {
  constructor(
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly projects: ProjectsService,
    private readonly accounts: ServiceAccountsService,
    private readonly members: ProjectMembersService,
    private readonly access: ProjectAccessService,
    private readonly plans: PlansService,
    private readonly catalog: CatalogService,
  ) {}

  /** A reference to the key if the session has the right to it; otherwise one that matches no key. */
  async refOf(id: string, session: Session, permission: Permission): Promise<ApiKeyRef> {
    const [ref] = await this.refsOf([id], session, permission);
    return ref ?? { id, ownerId: session.user.id };
  }

  async refsOf(ids: readonly string[], { user, rights }: Session, permission: Permission): Promise<ApiKeyRef[]> {
    if (rights.mayAll(permission)) return ids.map((id) => ({ id }));
    const owners = await this.ownersOf(ids, user.id);
    return ids.map((id) => {
      const { ownerId, role } = owners.get(id) ?? { ownerId: user.id, role: null };
      if (role !== null && !rights.mayIn(role, permission)) throw managerOnly();
      return { id, ownerId };
    });
  }

  /** The keys that the session can see. */
  async visibleAmong(ids: readonly string[], { user, rights }: Session): Promise<string[]> {
    if (rights.mayAll('keys.read')) return [...(await this.keys.ownersOf(ids)).keys()];
    const owners = await this.ownersOf(ids, user.id);
    return ids.filter((id) => owners.has(id));
  }

  /** The owner of a new key, and whether a manager creates it. */
  async ownerOf({ userId, projectId, serviceAccountId }: RequestedOwner, session: Session): Promise<KeyOwner> {
    if (projectId === undefined && serviceAccountId === undefined) {
      return { owner: await this.personOf(userId, session), byManager: false };
    }
    if (projectId === undefined)
      throw invalidRequest('invalid_value', 'projectId', 'A service account needs its project.');
    if (userId !== undefined) throw invalidRequest('invalid_value', 'userId', 'A key belongs to a user or a project.');
    await this.access.assertMay(projectId, session, 'keys.write');
    const project = await this.projects.get(projectId);
    if (project.archivedAt) throw invalidRequest('invalid_value', 'projectId', 'This project is archived.');
    const owner =
      serviceAccountId === undefined
        ? await this.users.findOwner(project.userId)
        : await this.accounts.get(projectId, serviceAccountId);
    if (!owner) throw new Error(`no user represents the project ${projectId}`);
    if (owner.disabledAt) {
      throw invalidRequest('invalid_value', 'serviceAccountId', 'This account is disabled: enable it first.');
    }
    return { owner, byManager: !session.rights.mayAll('keys.write') };
  }

  /** A key cannot have models that its owner cannot use. */
  async assertModels(models: readonly string[] | null | undefined, ownerId: string): Promise<void> {
    if (!models) return;
    const { plan } = await this.plans.current(ownerId);
    const allowed = new Set(this.catalog.list({ plan, models: null }).flatMap(({ id, aliases }) => [id, ...aliases]));
    const index = models.findIndex((id) => !allowed.has(id));
    if (index === -1) return;
    const message = 'The catalog has no such model, or the owner of the key cannot use it.';
    throw invalidRequest('invalid_value', `models[${index}]`, message);
  }

  /** The owners of the person's own keys and of the keys of the person's projects; other keys are left out. */
  private async ownersOf(
    ids: readonly string[],
    userId: string,
  ): Promise<Map<string, { ownerId: string; role: ProjectRole | null }>> {
    const ownerIds = await this.keys.ownersOf(ids);
    const [owners, roles] = await Promise.all([this.users.byId([...ownerIds.values()]), this.members.rolesOf(userId)]);
    const found = [...ownerIds].flatMap(([id, ownerId]) => {
      const role = roles.get(owners.get(ownerId)?.projectId ?? '') ?? null;
      return ownerId === userId || role !== null ? [[id, { ownerId, role }] as const] : [];
    });
    return new Map(found);
  }

  private async personOf(userId: string | undefined, { user, rights }: Session): Promise<User> {
    if (userId === undefined || userId === user.id) return user;
    if (!rights.mayAll('keys.write')) throw adminOnly();
    const owner = await this.users.find(userId);
    if (!owner) throw invalidRequest('invalid_value', 'userId', 'There is no user with this id.');
    if (owner.disabledAt) throw invalidRequest('invalid_value', 'userId', 'This account is disabled: enable it first.');
    return owner;
  }
}
