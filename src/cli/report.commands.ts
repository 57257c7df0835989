import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { Rights } from '../accounts/permissions.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import type { UsageExportQuery } from '../console/usage/usage-query.dto.js';
import { writeBackup } from './backup.commands.js';
import { toDate, toModels } from './input.js';
import { print } from './output.js';
import { findProject } from './project.commands.js';

const DAY_MS = 86_400_000;
const GROUPS_OF_A_PAGE = 50;
/** Reports for the command line include everyone. */
const OPERATOR = {
  user: { id: '00000000-0000-0000-0000-000000000000' },
  rights: Rights.of({ kind: 'person', role: 'admin', permissions: [] }),
};

interface UsageOptions {
  from?: string;
  until?: string;
  groupBy: UsageExportQuery['groupBy'];
  zone: string;
  models?: string;
  email?: string;
  project?: string;
  json?: boolean;
}

interface FileOptions {
  to: string;
  format: 'csv' | 'json';
  json?: boolean;
}

interface UsageFileOptions extends UsageOptions, FileOptions {
  kind: UsageExportQuery['kind'];
  granularity: UsageExportQuery['granularity'];
}

interface AuditFileOptions extends FileOptions {
  from?: string;
  until?: string;
  actor?: string;
  action?: string;
  target?: string;
  search?: string;
}

export function addReportCommands(program: Command): void {
  const report = program
    .command('usage:report')
    .description('print requests, tokens and cost of the last 30 days or of a time');
  addUsageOptions(report).action(reportUsage);
  const usage = program
    .command('usage:export')
    .description('write usage to a file, as the console exports it')
    .addOption(
      new Option('--kind <kind>', 'totals by time and group, or single calls')
        .choices(['report', 'calls'])
        .default('report'),
    )
    .addOption(
      new Option('--granularity <step>', 'steps of the totals')
        .choices(['auto', 'quarter', 'hour', 'day'])
        .default('auto'),
    );
  addFileOptions(addUsageOptions(usage)).action(exportUsage);
  const audit = program
    .command('audit:export')
    .description('write the audit log to a file, newest entries first; the export is an entry, too')
    .option('--from <iso>', 'entries from this time on (ISO 8601)')
    .option('--until <iso>', 'entries before this time')
    .option('--actor <actor>', "the actor: a user's id, or part of the name")
    .option('--action <action>', 'an action, or a kind of actions, such as key')
    .option('--target <target>', 'a kind of target, or one target by its id, such as user:1b9d…')
    .option('--search <text>', 'part of the actor, action, target, address or request id');
  addFileOptions(audit).action(exportAudit);
}

function addUsageOptions(command: Command): Command {
  const groups = ['model', 'key', 'user', 'upstream', 'status', 'api', 'project', 'none'];
  return command
    .option('--from <iso>', 'calls that started at this time or later (ISO 8601); by default 30 days before the end')
    .option('--until <iso>', 'calls that started before this time; by default now')
    .addOption(new Option('--group-by <group>', 'one row for each').choices(groups).default('none'))
    .option('--zone <zone>', 'IANA time zone of hours and days', 'UTC')
    .option('--models <ids>', 'only these models, separated by commas')
    .option('--email <email>', 'only calls of this user')
    .option('--project <project>', 'only calls of this project (id or name)');
}

function addFileOptions(command: Command): Command {
  return command
    .requiredOption('--to <file>', 'the new file; - for standard output')
    .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'json']).default('csv'));
}

/** Only these commands load the console's reports. */
async function reportUsage({ json, ...options }: UsageOptions): Promise<void> {
  const { withReports } = await import('./report-cli.module.js');
  const { ConsoleUsageService } = await import('../console/usage/console-usage.service.js');
  const { rows, total } = await withReports(async (services) => {
    const query = await toQuery(services, options);
    const reports = services.get(ConsoleUsageService);
    const { groups, groupsLeftOut, totals } = await reports.report(query, OPERATOR);
    for (let page = 2; (page - 2) * GROUPS_OF_A_PAGE < groupsLeftOut; page++) {
      groups.push(...(await reports.groups({ ...query, page }, OPERATOR)).groups);
    }
    return { rows: groups, total: totals };
  });
  const shown = options.groupBy === 'none' ? [{ label: 'All', detail: null, totals: total }] : rows;
  print(
    shown.map(({ label, detail, totals: sums }) => ({
      [options.groupBy === 'none' ? 'calls' : options.groupBy]: label,
      ...(options.groupBy === 'key' && { key: detail ?? label, name: label }),
      requests: sums.requests,
      errors: sums.errors,
      refused: sums.refused,
      inputTokens: sums.inputTokens,
      cachedTokens: sums.cachedTokens,
      outputTokens: sums.outputTokens,
      costUsd: sums.costUsd,
    })),
    json,
  );
}

async function exportUsage({ to, kind, format, granularity, json, ...options }: UsageFileOptions): Promise<void> {
  const { withReports } = await import('./report-cli.module.js');
  const { UsageExportService } = await import('../console/usage/usage-export.service.js');
  await withReports(async (services) => {
    const query = { ...(await toQuery(services, options)), kind, format, granularity };
    await write((await services.get(UsageExportService).begin(query, OPERATOR)).text, to, json);
  });
}

async function exportAudit({ to, format, from, until, search, json, ...filter }: AuditFileOptions): Promise<void> {
  const { withReports } = await import('./report-cli.module.js');
  const { AuditExportService } = await import('../console/audit.controller.js');
  const times = {
    ...(from !== undefined && { from: toDate(from).toISOString() }),
    ...(until !== undefined && { to: toDate(until).toISOString() }),
  };
  const { actor, action, target } = filter;
  const fields = { ...(actor && { actor }), ...(action && { action }), ...(target && { target }) };
  await withReports(async (services) => {
    const query = { format, ...times, ...fields, ...(search && { q: search }) };
    await write((await services.get(AuditExportService).begin(query, COMMAND_LINE)).text, to, json);
  });
}

async function toQuery(
  services: INestApplicationContext,
  { from, until, groupBy, zone, models, email, project }: UsageOptions,
) {
  if (!isZone(zone)) throw new UsageError(`'${zone}' is not an IANA time zone such as Europe/Berlin.`);
  const to = until === undefined ? new Date() : toDate(until);
  const start = from === undefined ? new Date(to.getTime() - 30 * DAY_MS) : toDate(from);
  return {
    from: start.toISOString(),
    to: to.toISOString(),
    scope: 'all' as const,
    granularity: 'auto' as UsageExportQuery['granularity'],
    rankBy: 'costNanodollars' as const,
    compare: 'false' as const,
    groupBy,
    zone,
    ...(models !== undefined && { models: toModels(models) }),
    ...(email !== undefined && { users: [(await services.get(UsersService).getByEmail(email)).id] }),
    ...(project !== undefined && { projects: [(await findProject(services, project)).id] }),
  };
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

async function write(text: AsyncGenerator<string>, to: string, json: boolean | undefined): Promise<void> {
  const bytes = await writeBackup(text, to, false);
  if (to !== '-') print({ file: to, bytes }, json);
}
