import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { DatabaseError } from 'pg';
import SCIMMY from 'scimmy';
import SCIMMYRouters from 'scimmy-routers';
import { QueryFailedError } from 'typeorm';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { isAttributeList, unsafeExpression } from './scim-expressions.js';
import { type GroupChange, type ScimGroup, ScimGroupsService } from './scim-groups.service.js';
import {
  type Page,
  type ScimFilter,
  type ScimUser,
  ScimUsersService,
  type UserInput,
  UserTakenError,
} from './scim-users.service.js';

const { Error: ScimError } = SCIMMY.Types;
const { ListResponse } = SCIMMY.Messages;

const PREFIX = '/scim/v2';
const USUAL_COUNT = 100;
const MAX_COUNT = 200;

type Attributes = Readonly<Record<string, unknown>>;

/** What a request carries through the library, whose handlers are static. */
interface Context {
  readonly service: ScimRouter;
  readonly actor: Actor;
  readonly filter: ScimFilter | null;
  readonly startIndex: number;
  readonly count: number;
  /** Before a PATCH, which changes only what differs: concurrent ones must not undo each other. */
  user?: ScimUser;
  group?: ScimGroup;
}

interface Resource {
  readonly id?: string;
  constraints?: object;
}

const contexts = new WeakMap<Request, Context>();

/** SCIM 2.0 for identity providers, by the library; with its paging, filters and values as RFC 7644 says. */
export class ScimRouter {
  private readonly logger = new Logger('SCIM');

  constructor(
    readonly users: ScimUsersService,
    readonly groups: ScimGroupsService,
  ) {}

  /** Answers a request below `/scim/v2`. `baseUrl`: the gateway's, for locations. */
  answer(request: Request, response: Response, actor: Actor, baseUrl: string): void {
    try {
      this.prepare(request, response, { ...actor, kind: 'gateway', id: null, name: `SCIM (${actor.name})` });
    } catch (error) {
      const shown = this.toScimError(error);
      response.status(shown.status).type('application/scim+json').send(new SCIMMY.Messages.Error(shown));
      return;
    }
    Object.assign(request, { url: request.url.slice(PREFIX.length) || '/', baseUrl: PREFIX, scimBaseUrl: baseUrl });
    router(request, response, (error: unknown) => {
      // A `ScimError` was logged where it was made.
      const isOfClient = response.statusCode >= 400 && response.statusCode < 500;
      if (!isOfClient && !(error instanceof ScimError)) this.logger.error(error);
      if (!response.headersSent) sendFailure(response);
    });
  }

  /** Runs a handler. The library would answer 404 to unknown errors: a provider might create everybody once more. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.toScimError(error);
    }
  }

  private prepare(request: Request, response: Response, actor: Actor): void {
    const query: Record<string, unknown> = { ...request.query };
    const path = request.path.slice(PREFIX.length);
    if (/\.search\/?$/i.test(path)) throw new ScimError(501, '', 'Search by GET with a filter.');
    const [, , id] = /^\/(users|groups)\/([^/]+)/i.exec(path) ?? [];
    if (id !== undefined && !UUID.test(id)) throw new ScimError(404, '', `Resource ${id.slice(0, 100)} not found`);
    const startIndex = Math.max(1, toInteger(query.startIndex, 'startIndex') ?? 1);
    const count = Math.min(MAX_COUNT, Math.max(0, toInteger(query.count, 'count') ?? USUAL_COUNT));
    contexts.set(request, { service: this, actor, filter: toFilter(query.filter), startIndex, count });
    for (const name of ['filter', 'startIndex', 'count', 'sortBy', 'sortOrder']) delete query[name];
    for (const name of ['attributes', 'excludedAttributes']) {
      if (query[name] === undefined || isAttributeList(query[name])) continue;
      throw new ScimError(400, 'invalidValue', `${name} must be names of attributes, separated by commas.`);
    }
    Object.defineProperty(request, 'query', { value: query, configurable: true });
    // The library cuts the page out of its items a second time.
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      if (!(body instanceof ListResponse) || !contexts.has(request) || !/^\/(users|groups)\/?$/i.test(path))
        return send(body);
      return send({ ...body, startIndex, itemsPerPage: body.Resources.length });
    };
  }

  private toScimError(error: unknown): InstanceType<typeof ScimError> {
    if (error instanceof ScimError) return error;
    if (error instanceof NotFoundError) return new ScimError(404, '', error.message);
    if (error instanceof UserTakenError) return new ScimError(409, 'uniqueness', error.message);
    if (error instanceof UsageError) {
      const type = error.field === 'filter' ? 'invalidFilter' : 'invalidValue';
      return new ScimError(400, type, error.field === null ? error.message : `${error.field}: ${error.message}`);
    }
    if (error instanceof QueryFailedError && INVALID_VALUE.test((error.driverError as DatabaseError).code ?? '')) {
      return new ScimError(400, 'invalidValue', 'A value has a character that cannot be stored, such as U+0000.');
    }
    this.logger.error(error);
    return new ScimError(503, '', FAILED);
  }
}

/** Errors of Postgres (SQLSTATE class 22) about values. */
const INVALID_VALUE = /^22/;

const FAILED = 'The gateway could not do this at the moment. Please try again.';

/** The library sets the status of an error, but writes only those that it knows: neither 503 nor 415. */
function sendFailure(response: Response): void {
  const status = response.statusCode < 400 ? 503 : response.statusCode;
  const detail = status === 503 ? FAILED : 'The gateway cannot read this request.';
  response.status(status).type('application/scim+json');
  response.send({ schemas: [ERROR], status: String(status), detail });
}

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTEGER = /^-?\d{1,9}$/;

function toInteger(value: unknown, name: string): number | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && INTEGER.test(value)) return Number(value);
  throw new ScimError(400, 'invalidValue', `${name} must be a whole number.`);
}

const FILTER =
  /^\s*(?:urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):)?(\w+(?:\.\w+)?|emails\[type eq "\w+"\]\.value)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i;

/** `userName eq "ada@example.com"`; attributes and operators are the same regardless of case. */
function toFilter(text: unknown): ScimFilter | null {
  if (text === undefined) return null;
  const [, attribute = '', value = ''] = (typeof text === 'string' && FILTER.exec(text)) || [];
  try {
    const name = attribute.toLowerCase().replace(/^emails(\[.*)?$|^emails\[.*/, 'emails.value');
    return { attribute: name, value: JSON.parse(/^"/.test(value) ? value : value.toLowerCase()) };
  } catch {
    throw new ScimError(
      400,
      'invalidFilter',
      'Filters have the form: attribute eq "value", such as userName eq "ada@example.com".',
    );
  }
}

/** Entra ID sends "True" and "False" as text, and `"$ref": null`. */
function asStandard(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => asStandard(item, name));
  if (typeof value === 'object' && value !== null) {
    const path = 'path' in value && typeof value.path === 'string' ? value.path : null;
    const entries = Object.entries(value).filter(([key, item]) => key !== '$ref' || item !== null);
    const nameOf = (key: string) => (key === 'value' && path !== null ? path : key);
    return Object.fromEntries(entries.map(([key, item]) => [key, asStandard(item, nameOf(key))]));
  }
  const isFlag = typeof value === 'string' && /(^|[.:])(active|primary)$/i.test(name) && /^(true|false)$/i.test(value);
  return isFlag ? value.toLowerCase() === 'true' : value;
}

function paged<Item, Shown>(
  resource: Resource,
  { total, items }: Page<Item>,
  toResource: (item: Item) => Shown,
): Shown[] {
  resource.constraints = { totalResults: total, startIndex: 1, count: MAX_COUNT };
  return items.map(toResource);
}

function toUserResource({
  displayName,
  email,
  givenName,
  familyName,
  createdAt,
  externalId,
  groups,
  ...user
}: ScimUser) {
  return {
    ...user,
    ...(externalId !== null && { externalId }),
    ...(displayName !== '' && { displayName }),
    ...((givenName !== null || familyName !== null) && {
      name: { ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
    }),
    emails: [{ value: email, type: 'work', primary: true }],
    groups: groups.map(({ value, display }) => ({ value, display, type: 'direct' })),
    meta: { created: createdAt },
  };
}

function toGroupResource({ externalId, members, createdAt, ...group }: ScimGroup) {
  return {
    ...group,
    ...(externalId !== null && { externalId }),
    members: members.map((member) => ({ ...member, type: 'User' })),
    meta: { created: createdAt },
  };
}

/** `isWhole`: what is missing was removed. */
function toUserInput(
  { userName, externalId, displayName, active, emails, name }: Attributes,
  isWhole: boolean,
): UserInput {
  const { givenName, familyName, formatted } = (name ?? {}) as Record<string, string | undefined>;
  const addresses = (Array.isArray(emails) ? emails : []) as { value?: string; primary?: boolean; type?: string }[];
  const email = (
    addresses.find(({ primary }) => primary) ??
    addresses.find(({ type }) => type === 'work') ??
    addresses[0]
  )?.value;
  const shown = displayName ?? formatted ?? ([givenName, familyName].filter(Boolean).join(' ') || undefined);
  const missing = isWhole ? null : undefined;
  return {
    ...(userName !== undefined && { userName: String(userName) }),
    ...(email !== undefined && { email }),
    ...(shown !== undefined && { displayName: String(shown) }),
    ...(typeof active === 'boolean' && { active }),
    ...defined({
      externalId: externalId ?? missing,
      givenName: givenName ?? missing,
      familyName: familyName ?? missing,
    }),
  };
}

function defined(fields: Attributes): UserInput {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function writeUser({ id }: Resource, instance: Attributes, context: Context) {
  const { users } = context.service;
  const { user: before, actor } = context;
  const input = toUserInput(instance, id !== undefined);
  if (id === undefined) return toUserResource(await users.create(input, actor));
  const changed = before
    ? Object.fromEntries(Object.entries(input).filter(([field, value]) => before[field as keyof ScimUser] !== value))
    : input;
  return toUserResource(await users.update(id, changed, actor));
}

async function writeGroup({ id }: Resource, instance: Attributes, context: Context) {
  const { groups } = context.service;
  const { group: before, actor } = context;
  const displayName = instance.displayName === undefined ? undefined : String(instance.displayName);
  const externalId = instance.externalId === undefined ? undefined : String(instance.externalId);
  const members = ((instance.members ?? []) as { value?: string }[]).map(({ value }) => String(value).toLowerCase());
  if (id === undefined) {
    return toGroupResource(await groups.create({ displayName, externalId, added: members }, actor));
  }
  if (!before)
    return toGroupResource(await groups.update(id, { displayName, externalId, added: members, removed: 'all' }, actor));
  const were = new Set(before.members.map(({ value }) => value));
  const are = new Set(members);
  const change: GroupChange = {
    ...(displayName !== before.displayName && { displayName }),
    ...(externalId !== (before.externalId ?? undefined) && { externalId: externalId ?? null }),
    added: members.filter((one) => !were.has(one)),
    removed: [...were].filter((one) => !are.has(one)),
  };
  return toGroupResource(await groups.update(id, change, actor));
}

SCIMMY.Resources.declare(SCIMMY.Resources.User)
  .extend(SCIMMY.Schemas.EnterpriseUser)
  .egress((resource: Resource, context: Context) =>
    context.service.run(async () => {
      const { users } = context.service;
      if (resource.id !== undefined) {
        context.user = await users.get(resource.id);
        return toUserResource(context.user);
      }
      return paged(resource, await users.page(context.filter, context.startIndex, context.count), toUserResource);
    }),
  )
  .ingress((resource: Resource, instance: object, context: Context) =>
    context.service.run(() => writeUser(resource, instance as Attributes, context)),
  )
  .degress((resource: Resource, context: Context) =>
    context.service.run(() => context.service.users.delete(resource.id ?? '', context.actor)),
  );

SCIMMY.Resources.declare(SCIMMY.Resources.Group)
  .egress((resource: Resource, context: Context) =>
    context.service.run(async () => {
      const { groups } = context.service;
      if (resource.id !== undefined) {
        context.group = await groups.get(resource.id);
        return toGroupResource(context.group);
      }
      return paged(resource, await groups.page(context.filter, context.startIndex, context.count), toGroupResource);
    }),
  )
  .ingress((resource: Resource, instance: object, context: Context) =>
    context.service.run(() => writeGroup(resource, instance as Attributes, context)),
  )
  .degress((resource: Resource, context: Context) =>
    context.service.run(() => context.service.groups.delete(resource.id ?? '', context.actor)),
  );

const router = new SCIMMYRouters({
  type: 'bearer',
  // The gateway has admitted the request; the library reads its body before this, and uses it afterwards.
  handler: (request: Request) => {
    request.body = asStandard(request.body);
    return '';
  },
  baseUri: (request: Request) => (request as Request & { scimBaseUrl: string }).scimBaseUrl,
  context: (request: Request) => {
    const unsafe = request.method === 'PATCH' ? unsafeExpression(request.body) : null;
    if (unsafe !== null)
      throw new ScimError(400, 'invalidPath', `The path '${unsafe.slice(0, 100)}' is not supported.`);
    return contexts.get(request);
  },
});
SCIMMY.Config.set({
  bulk: { supported: false },
  sort: { supported: false },
  filter: { supported: true, maxResults: MAX_COUNT },
});
