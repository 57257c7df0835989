import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { GRANTABLE_PERMISSIONS, type Permission } from '../accounts/permissions.js';
import { labelOf } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { AccessTokensService } from '../auth/access-tokens.service.js';
import { UsageError } from '../common/usage.error.js';
import { toDate, toList } from './input.js';
import { ownerOf } from './key.commands.js';
import { printResult } from './services.js';

interface OwnerOptions {
  email?: string;
  serviceAccount?: string;
}

interface CreateOptions extends OwnerOptions {
  name: string;
  scopes: string;
  expires?: string;
  addresses?: string;
  json?: boolean;
}

const ALL = 100_000;

export function addTokenCommands(program: Command): void {
  ofOwner(program, 'token:create', 'create an access token for /api; it is printed only once')
    .requiredOption('--name <name>', 'name of the token')
    .requiredOption('--scopes <permissions>', 'its permissions, separated by commas')
    .option('--expires <iso>', 'when it expires (ISO 8601); by default after the lifetime of the token policy')
    .option('--addresses <list>', 'the only addresses or ranges that it can be used from, separated by commas')
    .action(create);
  ofOwner(program, 'token:list', 'list the access tokens').action(list);
  program
    .command('token:revoke')
    .description('revoke an access token permanently')
    .requiredOption('--id <id>', 'id of the token')
    .action(revoke);
  ofOwner(program, 'user:permissions', 'set what the access tokens of a service account may do')
    .addOption(new Option('--permissions <permissions>', "separated by commas, or 'none'").makeOptionMandatory())
    .action(setPermissions);
}

function ofOwner(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--email <email>', 'e-mail address of the owner')
    .option('--service-account <project/name>', 'service account of a project, as its owner');
}

async function create({ name, scopes, expires, addresses, json, ...owner }: CreateOptions): Promise<void> {
  const limits = {
    scopes: toList(scopes),
    expiresAt: expires === undefined ? undefined : toDate(expires),
    addresses: addresses === undefined ? null : toList(addresses),
  };
  await printResult(json, async (services) => {
    const userId = await ownerIdOf(services, owner);
    const created = await services.get(AccessTokensService).create({ userId, name, ...limits }, COMMAND_LINE);
    return { id: created.id, token: created.token, display: created.display };
  });
}

async function list({ json, ...owner }: OwnerOptions & { json?: boolean }): Promise<void> {
  await printResult(json, async (services) => {
    const isOfAll = owner.email === undefined && owner.serviceAccount === undefined;
    const userId = isOfAll ? null : await ownerIdOf(services, owner);
    const found = await services.get(AccessTokensService).page({ userId, text: '' }, null, ALL);
    const owners = await services.get(UsersService).byId(found.map(({ token }) => token.userId));
    return found.map(({ token }) => {
      const user = owners.get(token.userId);
      const { id, name, display, scopes, addresses, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
      return {
        ...{ id, name, display, owner: user ? labelOf(user) : null, scopes, addresses },
        ...{ createdAt, expiresAt, revokedAt, lastUsedAt },
      };
    });
  });
}

async function revoke({ id, json }: { id: string; json?: boolean }): Promise<void> {
  await printResult(json, async (services) => {
    const { display, revokedAt } = await services.get(AccessTokensService).revoke(id, COMMAND_LINE);
    return { id, display, revokedAt };
  });
}

async function setPermissions({
  permissions: input,
  json,
  ...owner
}: OwnerOptions & { permissions: string; json?: boolean }): Promise<void> {
  const requested = input === 'none' ? [] : toList(input);
  const unknown = requested.find((name) => !GRANTABLE_PERMISSIONS.some((known) => known === name));
  if (unknown !== undefined) {
    throw new UsageError(
      `A service account cannot have '${unknown}'. It can have ${GRANTABLE_PERMISSIONS.join(', ')}.`,
    );
  }
  await printResult(json, async (services) => {
    const id = await ownerIdOf(services, owner);
    const change = { permissions: requested as Permission[] };
    const { name, permissions } = await services.get(UsersService).update(id, change, COMMAND_LINE);
    return { id, name, permissions: [...permissions] };
  });
}

async function ownerIdOf(services: INestApplicationContext, { email, serviceAccount }: OwnerOptions): Promise<string> {
  if ((email === undefined) === (serviceAccount === undefined)) {
    throw new UsageError('Name the owner with either --email or --service-account project/name.');
  }
  if (serviceAccount === undefined) return ownerOf(services, { email: email ?? '' });
  const at = serviceAccount.lastIndexOf('/');
  if (at < 1) throw new UsageError('Name the service account as project/name.');
  return ownerOf(services, { project: serviceAccount.slice(0, at), serviceAccount: serviceAccount.slice(at + 1) });
}
