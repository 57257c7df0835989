import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { PROJECT_ROLES, type Project, type ProjectRole } from '../accounts/project.types.js';
import { ProjectMembersService } from '../accounts/project-members.service.js';
import { ProjectsService } from '../accounts/projects.service.js';
import { ServiceAccountsService } from '../accounts/service-accounts.service.js';
import type { User } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { CacheSettingsService } from '../cache/cache-settings.service.js';
import { UsageError } from '../common/usage.error.js';
import { ProjectLimitsService } from '../limits/settings/limit-settings.service.js';
import { NO_LIMITS } from '../limits/values/limit-values.js';
import {
  addGuardsOption,
  addLimitOptions,
  CACHE_OPTION,
  type GuardsOption,
  type LimitOptions,
  setGuards,
  toLimits,
  toLimitsRow,
} from './limit-options.js';
import { print, printBatches } from './output.js';
import { printResult, withServices } from './services.js';

interface NamedOptions {
  id?: string;
  name?: string;
  json?: boolean;
}

interface AccountOptions {
  project: string;
  name: string;
  status?: 'active' | 'disabled';
  rename?: string;
  json?: boolean;
}

interface MemberOptions {
  project: string;
  email: string;
  role: ProjectRole | 'none';
  json?: boolean;
}

export function addProjectCommands(program: Command): void {
  program
    .command('project:create')
    .description('create a project: keys, limits and usage of their own')
    .requiredOption('--name <name>', 'name of the project')
    .option('--if-missing', 'if there is one with this name, print that one')
    .action(create);
  program
    .command('project:list')
    .description('list the projects')
    .addOption(new Option('--status <status>', 'only those with this status').choices(['active', 'archived']))
    .action(list);
  program
    .command('project:accounts')
    .description('list the service accounts of a project')
    .requiredOption('--project <project>', 'id or name of the project')
    .action(listAccounts);
  program
    .command('project:account')
    .description('create, disable, enable or rename a service account of a project')
    .requiredOption('--project <project>', 'id or name of the project')
    .requiredOption('--name <name>', 'name of the service account; created if it does not exist')
    .addOption(
      new Option('--status <status>', 'disable it and all of its keys, or enable it').choices(['active', 'disabled']),
    )
    .option('--rename <name>', 'its new name')
    .action(setAccount);
  const set = named(
    program.command('project:set').description('set limits, budgets and guards of all keys of a project together'),
  );
  addLimitOptions(addGuardsOption(set), 'project').option('--cache <ttl>', CACHE_OPTION).action(setLimits);
  program
    .command('project:member')
    .description('add a person to a project, change the role, or remove the person')
    .requiredOption('--project <project>', 'id or name of the project')
    .requiredOption('--email <email>', 'e-mail address of the person')
    .addOption(
      new Option('--role <role>', 'role in the project').choices([...PROJECT_ROLES, 'none']).makeOptionMandatory(),
    )
    .action(setMember);
  program
    .command('cache:clear')
    .description('delete cached answers: all, or those of a model or a project')
    .option('--model <model>', 'only those of this model (its id)')
    .option('--project <project>', 'only those of this project (id or name)')
    .action(clearCache);
  named(program.command('project:archive').description('archive a project permanently; its keys stop working')).action(
    archive,
  );
}

function named(command: Command): Command {
  return command
    .option('--id <id>', 'id of the project')
    .option('--name <name>', 'name of the project, instead of its id');
}

async function create({ name = '', ifMissing, json }: NamedOptions & { ifMissing?: boolean }): Promise<void> {
  await printResult(json, async (services) => {
    const projects = services.get(ProjectsService);
    const existing = ifMissing ? await projects.findByName(name) : null;
    return toRow(existing ?? (await projects.create(name, COMMAND_LINE)));
  });
}

async function list({ status, json }: { status?: 'active' | 'archived'; json?: boolean }): Promise<void> {
  const isArchived = status === undefined ? null : status === 'archived';
  await withServices((services) => printBatches(services.get(ProjectsService).batches(isArchived), toRow, json));
}

async function listAccounts({ project, json }: { project: string; json?: boolean }): Promise<void> {
  await printResult(json, async (services) => {
    const { id } = await findProject(services, project);
    return (await services.get(ServiceAccountsService).of(id)).map(toAccountRow);
  });
}

async function setAccount({ project: idOrName, name, status, rename, json }: AccountOptions): Promise<void> {
  await printResult(json, async (services) => {
    const project = await findProject(services, idOrName);
    const accounts = services.get(ServiceAccountsService);
    const { id } =
      (await findServiceAccount(services, project.id, name)) ?? (await accounts.create(project.id, name, COMMAND_LINE));
    const change = {
      ...(rename !== undefined && { name: rename }),
      ...(status !== undefined && { disabled: status === 'disabled' }),
    };
    return toAccountRow(await accounts.update(project.id, id, change, COMMAND_LINE));
  });
}

function toAccountRow({ id, name, disabledAt, createdAt }: User) {
  return { id, name, status: disabledAt ? 'disabled' : 'active', createdAt };
}

export async function findServiceAccount(
  services: INestApplicationContext,
  projectId: string,
  account: string,
): Promise<User | undefined> {
  const accounts = await services.get(ServiceAccountsService).of(projectId);
  return accounts.find(({ name }) => name.toLowerCase() === account.trim().toLowerCase());
}

async function setLimits({
  id,
  name,
  cache,
  guards: names,
  json,
  ...options
}: NamedOptions & GuardsOption & LimitOptions & { cache?: string }): Promise<void> {
  const change = toLimits(options, 'project');
  await printResult(json, async (services) => {
    const project = await projectOf(services, { id, name });
    const { values } = await services.get(ProjectLimitsService).set(project.id, change, true, COMMAND_LINE);
    const guards = await setGuards(services, 'project', project.id, names);
    const caching = services.get(CacheSettingsService);
    if (cache !== undefined) await caching.set('project', project.id, cache, COMMAND_LINE);
    const row = toLimitsRow('project', project.id, { ...NO_LIMITS, ...values });
    return { ...row, ...guards, cache: await caching.of('project', project.id) };
  });
}

async function setMember({ project: idOrName, email, role, json }: MemberOptions): Promise<void> {
  await printResult(json, async (services) => {
    const project = await findProject(services, idOrName);
    const user = await services.get(UsersService).getByEmail(email);
    const members = services.get(ProjectMembersService);
    if (role === 'none') await members.remove(project.id, user.id, COMMAND_LINE);
    else await members.set(project.id, user.id, role, COMMAND_LINE);
    return { project: project.id, name: project.name, email: user.email, role };
  });
}

async function archive({ json, ...which }: NamedOptions): Promise<void> {
  const project = await withServices(async (services) => {
    const { id } = await projectOf(services, which);
    return services.get(ProjectsService).archive(id, COMMAND_LINE);
  });
  print(toRow(project), json);
}

async function clearCache({
  model,
  project,
  json,
}: {
  model?: string;
  project?: string;
  json?: boolean;
}): Promise<void> {
  await printResult(json, async (services) => {
    const found = project === undefined ? null : await findProject(services, project);
    return { cleared: await services.get(CacheSettingsService).clear(model ?? null, found, COMMAND_LINE) };
  });
}

/** By id, or by name for one that is not archived. */
export async function findProject(services: INestApplicationContext, idOrName: string): Promise<Project> {
  const projects = services.get(ProjectsService);
  return (await projects.findByName(idOrName)) ?? projects.get(idOrName);
}

async function projectOf(services: INestApplicationContext, { id, name }: NamedOptions): Promise<Project> {
  const projects = services.get(ProjectsService);
  if ((id === undefined) === (name === undefined)) throw new UsageError('Name the project with either --id or --name.');
  return id === undefined ? projects.getByName(name ?? '') : projects.get(id);
}

function toRow({ id, name, createdAt, archivedAt }: Project) {
  return { id, name, status: archivedAt ? 'archived' : 'active', createdAt };
}
