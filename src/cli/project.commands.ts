import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { PROJECT_ROLES, type Project, type ProjectRole } from '../accounts/projects/project.types.js';
import { ProjectMembersService } from '../accounts/projects/project-members.service.js';
import { ProjectsService } from '../accounts/projects/projects.service.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { ProjectLimitsService } from '../limits/settings/project-limits.service.js';
import { NO_LIMITS } from '../limits/values/limit-values.js';
import { addLimitOptions, type LimitOptions, toLimits, toLimitsRow } from './limit-options.js';
import { print, printBatches } from './output.js';
import { printResult, withServices } from './services.js';

interface NamedOptions {
  id?: string;
  name?: string;
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
    .action(create);
  program.command('project:list').description('list the projects').action(list);
  const set = named(
    program.command('project:set').description('set limits and budgets of all keys of a project together'),
  );
  addLimitOptions(set, 'project').action(setLimits);
  program
    .command('project:member')
    .description('add a person to a project, change the role, or remove the person')
    .requiredOption('--project <project>', 'id or name of the project')
    .requiredOption('--email <email>', 'e-mail address of the person')
    .addOption(
      new Option('--role <role>', 'role in the project').choices([...PROJECT_ROLES, 'none']).makeOptionMandatory(),
    )
    .action(setMember);
  named(program.command('project:archive').description('archive a project permanently; its keys stop working')).action(
    archive,
  );
}

function named(command: Command): Command {
  return command
    .option('--id <id>', 'id of the project')
    .option('--name <name>', 'name of the project, instead of its id');
}

async function create({ name = '', json }: NamedOptions): Promise<void> {
  const project = await withServices((services) => services.get(ProjectsService).create(name, COMMAND_LINE));
  print(toRow(project), json);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withServices((services) => printBatches(services.get(ProjectsService).batches(), toRow, json));
}

async function setLimits({ id, name, json, ...options }: NamedOptions & LimitOptions): Promise<void> {
  const change = toLimits(options, 'project');
  await printResult(json, async (services) => {
    const project = await projectOf(services, { id, name });
    const { values } = await services.get(ProjectLimitsService).set(project.id, change, true, COMMAND_LINE);
    return toLimitsRow('project', project.id, { ...NO_LIMITS, ...values });
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
