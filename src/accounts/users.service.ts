import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { hashPassword } from './passwords.js';
import { UserEntity } from './user.entity.js';
import type { NewUser, User } from './user.types.js';

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1024;

/** People and service accounts. Methods that are given something unusable throw a `UsageError`. */
@Injectable()
export class UsersService {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  async create({ email, role = 'member', kind = 'person', password }: NewUser): Promise<User> {
    const address = toAddress(email);
    if (kind === 'service' && password !== undefined) throw new UsageError('A service account has no password.');
    const passwordHash = password === undefined ? null : await toPasswordHash(password);
    const inserted = await this.users
      .createQueryBuilder()
      .insert()
      .values({ email: address, name: '', role, kind, passwordHash })
      .orIgnore()
      .returning('id')
      .execute();
    if (inserted.raw.length === 0) throw new UsageError(`There is already a user with the e-mail address ${address}.`);
    return this.getByEmail(address);
  }

  async list(): Promise<User[]> {
    return (await this.users.find({ order: { createdAt: 'ASC', id: 'ASC' } })).map(toUser);
  }

  async exists(): Promise<boolean> {
    return this.users.exists();
  }

  async getByEmail(email: string): Promise<User> {
    const address = toAddress(email);
    const user = await this.users.findOneBy({ email: address });
    if (!user) throw new UsageError(`There is no user with the e-mail address ${address}.`);
    return toUser(user);
  }

  async setPassword(email: string, password: string): Promise<User> {
    const user = await this.getByEmail(email);
    if (user.kind === 'service') throw new UsageError('A service account has no password.');
    await this.users.update({ id: user.id }, { passwordHash: await toPasswordHash(password) });
    return user;
  }

  /** Disabling takes the user's keys out of service within a second; enabling gives them back. */
  async setDisabled(email: string, disabled: boolean): Promise<User> {
    const { id, disabledAt } = await this.getByEmail(email);
    await this.users.manager.transaction(async (manager) => {
      await manager.update(UserEntity, { id }, { disabledAt: disabled ? (disabledAt ?? new Date()) : null });
      await notifyCallerChanged(manager, 'user', id);
    });
    return this.getByEmail(email);
  }
}

function toUser({ id, email, name, role, kind, disabledAt, createdAt }: UserEntity): User {
  return { id, email, name, role, kind, disabledAt, createdAt };
}

function toAddress(email: string): string {
  const address = email.trim().toLowerCase();
  if (address.length > 254 || !EMAIL.test(address)) throw new UsageError('The e-mail address is not valid.');
  return address;
}

function toPasswordHash(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new UsageError(`A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`);
  }
  return hashPassword(password);
}
