import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { SignInLimitsService } from '../accounts/sign-in-limits.service.js';
import type { User, UserRole } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { readPassword } from './input.js';
import { print, printBatches } from './output.js';
import { withServices } from './services.js';

interface CreateOptions {
  email: string;
  role: UserRole;
  passwordStdin?: boolean;
  service?: boolean;
  json?: boolean;
}

interface EmailOptions {
  email: string;
  passwordStdin?: boolean;
  json?: boolean;
}

interface DisableOptions extends EmailOptions {
  force?: boolean;
}

export function addUserCommands(program: Command): void {
  program
    .command('user:create')
    .description('create a user or a service account')
    .requiredOption('--email <email>', 'e-mail address')
    .addOption(new Option('--role <role>', 'role in the console').choices(['admin', 'member']).default('member'))
    .option('--password-stdin', 'read a password from standard input')
    .option('--service', 'create a service account: it has keys and cannot sign in')
    .action(create);
  program.command('user:list').description('list the users').action(list);
  program
    .command('user:password')
    .description('set a password; without --password-stdin a new one is generated and printed')
    .requiredOption('--email <email>', 'e-mail address')
    .option('--password-stdin', 'read the password from standard input')
    .action(setPassword);
  program
    .command('user:disable')
    .description("disable a user and all of the user's keys")
    .requiredOption('--email <email>', 'e-mail address')
    .option('--force', 'even if it is the last administrator')
    .action((options: DisableOptions) => setDisabled(options, true));
  program
    .command('user:enable')
    .description('enable a disabled user')
    .requiredOption('--email <email>', 'e-mail address')
    .action((options: DisableOptions) => setDisabled(options, false));
}

async function create({ email, role, passwordStdin, service, json }: CreateOptions): Promise<void> {
  const password = passwordStdin ? { password: await readPassword() } : {};
  const kind = service ? 'service' : 'person';
  const user = await withServices((services) =>
    services.get(UsersService).create({ email, role, kind, ...password }, COMMAND_LINE),
  );
  print(toRow(user), json);
  if (!json && user.kind === 'person' && !passwordStdin) {
    process.stdout.write(
      `\nNobody can sign in as this user with a password yet: \`user:password --email ${user.email}\` creates one and prints it.\n`,
    );
  }
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withServices((services) => printBatches(services.get(UsersService).batches(), toRow, json));
}

async function setPassword({ email, passwordStdin, json }: EmailOptions): Promise<void> {
  const made = passwordStdin ? null : randomBytes(15).toString('base64url');
  const password = made ?? (await readPassword());
  const user = await withServices(async (services) => {
    const users = services.get(UsersService);
    const set = await users.setPassword((await users.getByEmail(email)).id, password, COMMAND_LINE);
    await services.get(SignInLimitsService).forget(set.email);
    return set;
  });
  print({ id: user.id, email: user.email, ...(made !== null && { password: made }) }, json);
}

async function setDisabled({ email, force, json }: DisableOptions, disabled: boolean): Promise<void> {
  const user = await withServices((services) =>
    services.get(UsersService).setDisabled(email, disabled, COMMAND_LINE, force),
  );
  print(toRow(user), json);
}

function toRow({ id, email, role, kind, disabledAt, createdAt }: User) {
  return { id, email, role, kind, status: disabledAt ? 'disabled' : 'active', createdAt };
}
