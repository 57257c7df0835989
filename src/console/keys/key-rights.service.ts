import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import type { User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { ApiKeyRef } from '../../auth/api-key.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { invalidRequest } from '../../common/gateway.error.js';
import { CatalogService } from '../../models/catalog.service.js';
import { adminOnly } from '../shared/console.errors.js';

/** A signed-in person's rights on keys: members have their own, admins all. */
@Injectable()
export class KeyRightsService {
  constructor(
    private readonly users: UsersService,
    private readonly plans: PlansService,
    private readonly catalog: CatalogService,
  ) {}

  /** The key with this id, if the session can see it. */
  refOf(id: string, { user }: Session): ApiKeyRef {
    return user.role === 'admin' ? { id } : { id, ownerId: user.id };
  }

  /** The user for whom a key is created. */
  async ownerOf(userId: string | undefined, { user }: Session): Promise<User> {
    if (userId === undefined || userId === user.id) return user;
    if (user.role !== 'admin') throw adminOnly();
    const owner = await this.users.find(userId);
    if (!owner) throw invalidRequest('invalid_value', 'userId', 'There is no user with this id.');
    if (owner.disabledAt) throw invalidRequest('invalid_value', 'userId', 'This account is disabled: enable it first.');
    return owner;
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
}
