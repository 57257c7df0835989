import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { toName } from './passwords.js';
import { lockProject } from './project.types.js';
import { toUser, UserEntity } from './user.entity.js';
import { type User, userTarget } from './user.types.js';
import { UsersService } from './users.service.js';

export const MAX_SERVICE_ACCOUNTS = 200;

/** Service accounts of projects. Each has its own keys and no e-mail address; its usage counts for the project. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly all: UsersService,
    private readonly audit: AuditService,
  ) {}

  /** Oldest first. */
  async of(projectId: string): Promise<User[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const found = await this.users.find({ where: { projectId, kind: 'service' }, order });
    return found.map(toUser);
  }

  /** Throws a `NotFoundError` if it is not in this project. */
  async get(projectId: string, id: string): Promise<User> {
    const user = await this.all.find(id);
    if (user?.kind !== 'service' || user.projectId !== projectId) {
      throw new NotFoundError('The project has no such service account.');
    }
    return user;
  }

  async create(projectId: string, input: string, actor: Actor): Promise<User> {
    const name = toName(input);
    if (name === '') throw new UsageError('A service account of a project needs a name.', 'name');
    return this.users.manager.transaction(async (manager) => {
      const project = await lockProject(manager, projectId);
      const others = await manager.findBy(UserEntity, { projectId, kind: 'service' });
      if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
        throw new UsageError(`The project already has a service account named ${name}.`, 'name');
      }
      if (others.length >= MAX_SERVICE_ACCOUNTS)
        throw new UsageError(`A project can have at most ${MAX_SERVICE_ACCOUNTS} service accounts.`);
      const values = { name, role: 'member', kind: 'service', projectId } as const;
      const { id } = await manager.save(UserEntity, manager.create(UserEntity, values));
      const user = toUser(await manager.findOneByOrFail(UserEntity, { id }));
      const after = { name, kind: 'service', project: project.name };
      await this.audit.record(manager, actor, { action: 'user.create', target: userTarget(user), after });
      return user;
    });
  }

  /** Renames it, or disables or enables its keys within a second. */
  async update(
    projectId: string,
    id: string,
    change: { name?: string; disabled?: boolean },
    actor: Actor,
  ): Promise<User> {
    await this.get(projectId, id);
    if (change.name !== undefined && change.name.trim() === '') {
      throw new UsageError('A service account of a project needs a name.', 'name');
    }
    return this.all.update(id, change, actor);
  }
}
