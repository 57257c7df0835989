import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { ForgottenUsersService } from '../accounts/forgotten-users.service.js';
import { SignInLimitsService } from '../accounts/sign-in-limits.service.js';
import type { User, UserFilter, UserKind, UserRole } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { readPassword } from './input.js';
import { print, printBatches } from './output.js';
import { printResult, withServices } from './services.js';

interface CreateOptions {
  email: string;
  role: UserRole;
  passwordStdin?: boolean;
  service?: boolean;
  ifMissing?: boolean;
  json?: boolean;
}

interface ListOptions {
  role?: UserRole;
  kind?: UserKind;
  status?: 'active' | 'disabled';
  search?: string;
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
    .option('--if-missing', 'if there is a user with this e-mail address, print that one, unchanged')
    .action(create);
  program
    .command('user:list')
    .description('list the users')
    .addOption(new Option('--role <role>', 'only those with this role').choices(['admin', 'member']))
    .addOption(new Option('--kind <kind>', 'only people, or only service accounts').choices(['person', 'service']))
    .addOption(new Option('--status <status>', 'only those with this status').choices(['active', 'disabled']))
    .option('--search <words>', 'only those whose e-mail address or name contains these words')
    .action(list);
  program
    .command('user:email')
    .description("change a user's e-mail address")
    .requiredOption('--email <email>', 'present e-mail address')
    .requiredOption('--to <email>', 'new e-mail address')
    .action(setEmail);
  program
    .command('user:forget')
    .description('replace e-mail address and name by a pseudonym everywhere, and end keys and sessions')
    .requiredOption('--email <email>', 'e-mail address')
    .requiredOption('--permanently', 'confirms that this cannot be undone')
    .option('--force', 'even if it is the last administrator')
    .action(forget);
  program
    .command('user:role')
    .description("change a person's role in the console, from the next request on")
    .requiredOption('--email <email>', 'e-mail address')
    .addOption(new Option('--role <role>', 'the new role').choices(['admin', 'member']).makeOptionMandatory())
    .option('--force', 'even if it is the last administrator')
    .action(setRole);
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

async function create({ email, role, passwordStdin, service, ifMissing, json }: CreateOptions): Promise<void> {
  const password = passwordStdin ? { password: await readPassword() } : {};
  const kind = service ? 'service' : 'person';
  const [user, isNew] = await withServices(async (services) => {
    const users = services.get(UsersService);
    const existing = ifMissing ? await users.findByEmail(email) : null;
    return [existing ?? (await users.create({ email, role, kind, ...password }, COMMAND_LINE)), !existing];
  });
  print(toRow(user), json);
  if (!json && isNew && user.kind === 'person' && !passwordStdin) {
    process.stdout.write(
      `\nNobody can sign in as this user with a password yet: \`user:password --email ${user.email}\` creates one and prints it.\n`,
    );
  }
}

async function list({ role, kind, status, search, json }: ListOptions): Promise<void> {
  const isDisabled = status === undefined ? null : status === 'disabled';
  const filter: UserFilter = { role, kind, isDisabled, text: search };
  await withServices((services) => printBatches(services.get(UsersService).batches(filter), toRow, json));
}

async function setEmail({ email, to, json }: EmailOptions & { to: string }): Promise<void> {
  await printResult(json, async (services) => {
    const users = services.get(UsersService);
    return toRow(await users.update((await users.getByEmail(email)).id, { email: to }, COMMAND_LINE));
  });
}

async function forget({ email, force, json }: DisableOptions): Promise<void> {
  await printResult(json, async (services) => {
    const { id } = await services.get(UsersService).getByEmail(email);
    return toRow(await services.get(ForgottenUsersService).forget(id, COMMAND_LINE, force));
  });
}

async function setRole({ email, role, force, json }: DisableOptions & { role: UserRole }): Promise<void> {
  await printResult(json, async (services) => {
    const users = services.get(UsersService);
    const { id } = await users.getByEmail(email);
    return toRow(await users.update(id, { role, evenLast: force }, COMMAND_LINE));
  });
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

function toRow({ id, email, role, kind, disabledAt, forgottenAt, createdAt }: User) {
  const status = forgottenAt ? 'forgotten' : disabledAt ? 'disabled' : 'active';
  return { id, email, role, kind, status, createdAt };
}
