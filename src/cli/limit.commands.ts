import type { Command } from 'commander';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { KeyLimitsService } from '../limits/settings/key-limits.service.js';
import { UserLimitsService } from '../limits/settings/user-limits.service.js';
import { NO_LIMITS } from '../limits/values/limit-values.js';
import { addLimitOptions, type LimitOptions, toLimits, toLimitsRow } from './limit-options.js';
import { printResult } from './services.js';

/** Without a value to set, prints the current values. */
export function addLimitCommands(program: Command): void {
  const user = program
    .command('user:set')
    .description("set a user's limits and budgets, which override those of the plan")
    .requiredOption('--email <email>', 'e-mail address');
  addLimitOptions(user, 'user').action(setUser);
  const key = program
    .command('key:set')
    .description('set limits and budgets of an API key, in addition to those of its owner')
    .requiredOption('--id <id>', 'id of the key');
  addLimitOptions(key, 'key').action(setKey);
}

async function setUser({ email, json, ...options }: LimitOptions & { email: string; json?: boolean }): Promise<void> {
  const change = toLimits(options, 'user');
  await printResult(json, async (services) => {
    const { id } = await services.get(UsersService).getByEmail(email);
    const { values } = await services.get(UserLimitsService).set(id, change, COMMAND_LINE);
    return toLimitsRow('user', id, values);
  });
}

async function setKey({ id, json, ...options }: LimitOptions & { id: string; json?: boolean }): Promise<void> {
  const limits = toLimits(options, 'key');
  await printResult(json, async (services) => {
    const key = await services.get(ApiKeysService).update({ id }, { limits }, COMMAND_LINE);
    const own = (await services.get(KeyLimitsService).of([key.id])).get(key.id);
    return toLimitsRow('key', key.id, { ...NO_LIMITS, ...own?.values });
  });
}
