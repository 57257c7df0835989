import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ServiceAccountsService } from '../accounts/projects/service-accounts.service.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { KeyListService } from '../auth/key-list.service.js';
import type { KeyOfOwner } from '../auth/key-list.types.js';
import { UsageError } from '../common/usage.error.js';
import { toDate, toList, toModels } from './input.js';
import { print, printBatches } from './output.js';
import { findProject } from './project.commands.js';
import { withServices } from './services.js';

interface KeyOptions {
  name: string;
  expires?: string;
  models?: string;
  addresses?: string;
  json?: boolean;
}

interface ProjectKeyOptions extends KeyOptions {
  project: string;
  serviceAccount?: string;
}

export function addKeyCommands(program: Command): void {
  const ofUser = program
    .command('key:create')
    .description('create an API key; it is printed only once')
    .requiredOption('--email <email>', 'e-mail address of its owner');
  addKeyOptions(ofUser).action(createForUser);
  const ofProject = program
    .command('project:key')
    .description('create an API key of a project; it is printed only once')
    .requiredOption('--project <project>', 'id or name of the project')
    .option(
      '--service-account <name>',
      'service account of the project that owns the key; created if it does not exist',
    );
  addKeyOptions(ofProject).action(createForProject);
  program.command('key:list').description('list the API keys').action(list);
  program
    .command('key:revoke')
    .description('revoke an API key permanently')
    .requiredOption('--id <id>', 'id of the key')
    .action(revoke);
}

function addKeyOptions(command: Command): Command {
  return command
    .requiredOption('--name <name>', 'name of the key')
    .option('--expires <iso>', 'when it expires (ISO 8601); by default as late as the key policy allows')
    .option('--models <ids>', 'the only models that it can use, separated by commas')
    .option('--addresses <list>', 'the only addresses or ranges that it can be used from, separated by commas');
}

async function createForUser({ email, ...options }: KeyOptions & { email: string }): Promise<void> {
  await create(options, async (services) => (await services.get(UsersService).getByEmail(email)).id);
}

async function createForProject({ project, serviceAccount, ...options }: ProjectKeyOptions): Promise<void> {
  await create(options, async (services) => {
    const { id, name: projectName, userId, archivedAt } = await findProject(services, project);
    if (archivedAt) throw new UsageError(`The project ${projectName} is archived.`);
    if (serviceAccount === undefined) return userId;
    const accounts = services.get(ServiceAccountsService);
    const found = (await accounts.of(id)).find(({ name }) => name === serviceAccount);
    return (found ?? (await accounts.create(id, serviceAccount, COMMAND_LINE))).id;
  });
}

async function create(
  { name, expires, models, addresses, json }: KeyOptions,
  ownerOf: (services: INestApplicationContext) => Promise<string>,
): Promise<void> {
  const limits = {
    expiresAt: expires === undefined ? undefined : toDate(expires),
    models: models === undefined ? null : toModels(models),
    addresses: addresses === undefined ? null : toList(addresses),
  };
  const created = await withServices(async (services) => {
    const userId = await ownerOf(services);
    return services.get(ApiKeysService).create({ userId, name, ...limits }, COMMAND_LINE);
  });
  print({ id: created.id, key: created.key, display: created.display }, json);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withServices((services) => printBatches(services.get(KeyListService).batches(), toListed, json));
}

async function revoke({ id, json }: { id: string; json?: boolean }): Promise<void> {
  const { display, status } = await withServices((services) =>
    services.get(ApiKeysService).revoke({ id }, COMMAND_LINE),
  );
  print({ id, display, status }, json);
}

/** The columns of the key list. */
function toListed({ key, owner, project }: KeyOfOwner) {
  const { id, name, display, models, addresses, status, createdAt, expiresAt, lastUsed } = key;
  const times = { createdAt, expiresAt, lastUsedAt: lastUsed?.at ?? null };
  return { id, name, display, models, addresses, status, ...times, owner, project };
}
