import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { ServiceAccountsService } from '../accounts/service-accounts.service.js';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import type { ApiKey, ApiKeyRef, BulkKeyChange, RotationOverlap } from '../auth/api-key.types.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { KeyContentLogService } from '../auth/key-content-log.service.js';
import { KEY_STATUS_FILTERS, KeyListService, type KeyOfOwner, type KeyStatusFilter } from '../auth/key-list.service.js';
import { CacheSettingsService } from '../cache/cache-settings.service.js';
import { UsageError } from '../common/usage.error.js';
import { KeyLimitsService } from '../limits/settings/limit-settings.service.js';
import { NO_LIMITS } from '../limits/values/limit-values.js';
import { toDate, toList, toModels } from './input.js';
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
import { printBatches } from './output.js';
import { findProject, findServiceAccount } from './project.commands.js';
import { printResult, withServices } from './services.js';

interface OwnerOptions {
  email?: string;
  project?: string;
  serviceAccount?: string;
}

interface CreateOptions extends OwnerOptions {
  name: string;
  expires?: string;
  models?: string;
  addresses?: string;
  cache?: string;
  ifMissing?: boolean;
  json?: boolean;
}

/** A key by its id, or by its name among those of an owner. */
interface KeyOptions extends OwnerOptions {
  id?: string;
  key?: string;
  json?: boolean;
}

interface SetOptions extends KeyOptions, LimitOptions, GuardsOption {
  name?: string;
  note?: string;
  expires?: string;
  models?: string;
  addresses?: string;
  contentLog?: 'off';
  cache?: string;
}

interface ListOptions {
  email?: string;
  project?: string;
  status: KeyStatusFilter;
  search: string;
  json?: boolean;
}

const OVERLAPS: readonly RotationOverlap[] = ['none', '1h', '24h', '7d'];
export function addKeyCommands(program: Command): void {
  const ofUser = program
    .command('key:create')
    .description('create an API key; it is printed only once')
    .requiredOption('--email <email>', 'e-mail address of its owner');
  addCreateOptions(ofUser).action(create);
  const ofProject = program
    .command('project:key')
    .description('create an API key of a project; it is printed only once')
    .requiredOption('--project <project>', 'id or name of the project')
    .option(
      '--service-account <name>',
      'service account of the project that owns the key; created if it does not exist',
    );
  addCreateOptions(ofProject).action(create);
  program
    .command('key:list')
    .description('list the API keys')
    .option('--email <email>', 'only those of this owner')
    .option('--project <project>', 'only those of this project and its service accounts (id or name)')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices(KEY_STATUS_FILTERS).default('all'),
    )
    .option('--search <words>', 'only those whose name, note, display form or owner contains these words', '')
    .action(list);
  const set = ofKey(
    program,
    'key:set',
    'change an API key and its limits and budgets, in addition to those of its owner',
  )
    .option('--name <name>', 'a new name')
    .option('--note <text>', 'a note to recognize it')
    .option('--expires <iso>', "when it expires (ISO 8601), or 'never'")
    .option('--models <ids>', "the only models that it can use, separated by commas, or 'any'")
    .option(
      '--addresses <list>',
      "the only addresses or ranges that it can be used from, separated by commas, or 'any'",
    )
    .addOption(new Option('--content-log <state>', 'switch its content log off').choices(['off']))
    .option('--cache <ttl>', CACHE_OPTION);
  addLimitOptions(addGuardsOption(set), 'key').action(setKey);
  ofKey(program, 'key:rotate', 'give an API key a new secret; it is printed only once')
    .addOption(
      new Option('--overlap <time>', 'how long the previous secret stays valid').choices(OVERLAPS).default('24h'),
    )
    .action(rotate);
  ofKey(program, 'key:disable', 'disable an API key: it is refused until it is enabled again').action(
    changeTo('disable'),
  );
  ofKey(program, 'key:enable', 'enable a disabled API key').action(changeTo('enable'));
  ofKey(program, 'key:revoke', 'revoke an API key permanently').action(changeTo('revoke'));
}

function addCreateOptions(command: Command): Command {
  return command
    .requiredOption('--name <name>', 'name of the key')
    .option('--expires <iso>', 'when it expires (ISO 8601); by default as late as the key policy allows')
    .option('--models <ids>', 'the only models that it can use, separated by commas')
    .option('--addresses <list>', 'the only addresses or ranges that it can be used from, separated by commas')
    .option('--cache <ttl>', CACHE_OPTION)
    .option(
      '--if-missing',
      'if the owner has a key with this name that is not revoked, print that one, without secret',
    );
}

function ofKey(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--id <id>', 'id of the key')
    .option('--key <name>', 'name of the key, instead of its id; needs its owner:')
    .option('--email <email>', 'e-mail address of the owner')
    .option('--project <project>', 'id or name of the project that owns it')
    .option('--service-account <name>', 'service account of the project that owns it');
}

async function create({
  name,
  expires,
  models,
  addresses,
  cache,
  ifMissing,
  json,
  ...owner
}: CreateOptions): Promise<void> {
  const limits = {
    expiresAt: expires === undefined ? undefined : toDate(expires),
    models: models === undefined ? null : toModels(models),
    addresses: addresses === undefined ? null : toList(addresses),
  };
  await printResult(json, async (services) => {
    const userId = await ownerOf(services, owner, true);
    const [existing] = ifMissing ? await keysNamed(services, userId, name) : [];
    if (existing) return { id: existing.id, key: null, display: existing.display };
    if (cache !== undefined) services.get(CacheSettingsService).seconds(cache);
    const { id, key, display } = await services.get(ApiKeysService).create({ userId, name, ...limits }, COMMAND_LINE);
    if (cache !== undefined) await services.get(CacheSettingsService).set('key', id, cache, COMMAND_LINE);
    return { id, key, display };
  });
}

/** `creates`: a missing service account is created. */
export async function ownerOf(
  services: INestApplicationContext,
  { email, project, serviceAccount }: OwnerOptions,
  creates = false,
): Promise<string> {
  if ((email === undefined) === (project === undefined))
    throw new UsageError('Name the owner with --email or --project.');
  if (project === undefined) return (await services.get(UsersService).getByEmail(email ?? '')).id;
  const { id, name, userId, archivedAt } = await findProject(services, project);
  if (creates && archivedAt) throw new UsageError(`The project ${name} is archived.`);
  if (serviceAccount === undefined) return userId;
  const found = await findServiceAccount(services, id, serviceAccount);
  if (found) return found.id;
  if (!creates) throw new UsageError(`The project ${name} has no service account named ${serviceAccount}.`);
  return (await services.get(ServiceAccountsService).create(id, serviceAccount, COMMAND_LINE)).id;
}

/** Those that are not revoked. */
async function keysNamed(services: INestApplicationContext, ownerId: string, name: string): Promise<ApiKey[]> {
  const found: ApiKey[] = [];
  for await (const batch of services.get(KeyListService).batches({ ownerId, status: 'current' })) {
    found.push(...batch.map(({ key }) => key).filter((key) => key.name === name.trim()));
  }
  return found;
}

async function refOf(services: INestApplicationContext, { id, key, ...owner }: KeyOptions): Promise<ApiKeyRef> {
  if ((id === undefined) === (key === undefined)) throw new UsageError('Name the key with either --id or --key.');
  if (id !== undefined) return { id };
  const [found, another] = await keysNamed(services, await ownerOf(services, owner), key ?? '');
  if (!found) throw new UsageError(`The owner has no key named ${key} that is not revoked.`);
  if (another) throw new UsageError(`The owner has several keys named ${key}: name one with --id (\`key:list\`).`);
  return { id: found.id };
}

async function list({ email, project, status, search, json }: ListOptions): Promise<void> {
  await withServices(async (services) => {
    const ownerId = email === undefined ? null : await ownerOf(services, { email });
    const projectId = project === undefined ? null : (await findProject(services, project)).id;
    await printBatches(
      services.get(KeyListService).batches({ ownerId, projectId, status, text: search }),
      toListed,
      json,
    );
  });
}

/** Without a value to set, prints the current values. */
async function setKey({ json, ...options }: SetOptions): Promise<void> {
  const { name, note, expires, models, addresses, contentLog, cache } = options;
  const changes = {
    limits: toLimits(options, 'key'),
    ...(name !== undefined && { name }),
    ...(note !== undefined && { note }),
    ...(expires !== undefined && { expiresAt: expires === 'never' ? null : toDate(expires) }),
    ...(models !== undefined && { models: models === 'any' ? null : toModels(models) }),
    ...(addresses !== undefined && { addresses: addresses === 'any' ? null : toList(addresses) }),
  };
  await printResult(json, async (services) => {
    const keys = services.get(ApiKeysService);
    const ref = await refOf(services, options);
    const key = await keys.update(ref, changes, COMMAND_LINE);
    if (cache !== undefined) await services.get(CacheSettingsService).set('key', key.id, cache, COMMAND_LINE);
    if (contentLog) await services.get(KeyContentLogService).switch(key.id, false, COMMAND_LINE);
    const guards = await setGuards(services, 'key', key.id, options.guards);
    const limits = (await services.get(KeyLimitsService).of([key.id])).get(key.id);
    const { note: text, expiresAt } = key;
    const row = { name: key.name, note: text, models: key.models, addresses: key.addresses, expiresAt, ...guards };
    const cached = { cache: await services.get(CacheSettingsService).of('key', key.id) };
    return { ...toLimitsRow('key', key.id, { ...NO_LIMITS, ...limits?.values }), ...row, ...cached };
  });
}

async function rotate({ overlap, json, ...which }: KeyOptions & { overlap: RotationOverlap }): Promise<void> {
  await printResult(json, async (services) => {
    const ref = await refOf(services, which);
    const { id, key, display, previous } = await services.get(ApiKeysService).rotate(ref, overlap, COMMAND_LINE);
    return { id, key, display, previousExpiresAt: previous?.expiresAt ?? null };
  });
}

function changeTo(change: BulkKeyChange): (options: KeyOptions) => Promise<void> {
  return ({ json, ...which }) =>
    printResult(json, async (services) => {
      const ref = await refOf(services, which);
      const [changed] = await services.get(ApiKeysService).changeAll([ref], change, COMMAND_LINE);
      return { id: ref.id, display: changed?.display, status: changed?.status };
    });
}

/** The columns of the key list. */
function toListed({ key, owner, project }: KeyOfOwner) {
  const { id, name, display, models, addresses, status, createdAt, expiresAt, lastUsed } = key;
  const times = { createdAt, expiresAt, lastUsedAt: lastUsed?.at ?? null };
  return { id, name, display, models, addresses, status, ...times, owner, project };
}
