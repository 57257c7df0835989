import type { JWTPayload } from 'jose';
import type { EntityManager } from 'typeorm';
import { type GatewayError, invalidApiKey } from '../../common/gateway.error.js';
import { UsageError } from '../../common/usage.error.js';
import type { IssuerSettings } from '../../config/gateway.settings.js';

export type Claims = JWTPayload & { readonly sub: string; readonly exp: number };

export interface CheckedToken {
  readonly settings: IssuerSettings;
  readonly claims: Claims;
  /** Unix ms, with the skew. */
  readonly until: number;
}

/** To whom the calls of a token count. */
export type IdentityOwner =
  | { readonly kind: 'service account'; readonly project: string; readonly account: string }
  | { readonly kind: 'person'; readonly person: Person; readonly project: string | null };

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Null: the person is found by issuer and subject. */
  readonly email: string | null;
  readonly name: string;
  /** As its issuer states it, for a person to create. */
  readonly claimed: { readonly email: string | null; readonly isVerified: boolean };
}

/** Throws a 401 if a claim that it needs is missing. */
export function ownerOf({ settings, claims }: CheckedToken): IdentityOwner {
  const { subjects } = settings;
  if (Object.hasOwn(subjects, claims.sub)) {
    const [project = '', account = ''] = (subjects[claims.sub] ?? '').split('/');
    return { kind: 'service account', project, account };
  }
  return { kind: 'person', person: personOf(settings, claims), project: projectOf(settings, claims) };
}

function personOf({ issuer, user }: IssuerSettings, claims: Claims): Person {
  const [name = ''] = textsOf(claims.name);
  const claimed = { email: textsOf(claims.email)[0] ?? null, isVerified: String(claims.email_verified) === 'true' };
  const person = { issuer, subject: claims.sub, name, claimed };
  if (user === 'sub') return { ...person, email: null };
  const [email] = textsOf(claimOf(claims, user));
  if (!email) throw refused(`has no claim \`${user}\`, and its subject is not one of \`subjects\``);
  if (user === 'email' && String(claims.email_verified) === 'false') {
    throw refused('has an e-mail address that its issuer has not verified');
  }
  return { ...person, email: email.trim().toLowerCase() };
}

function projectOf({ project }: IssuerSettings, claims: Claims): string | null {
  if (project === null || typeof project === 'string') return project;
  const [name] = textsOf(claimOf(claims, project.claim));
  if (!name) throw refused(`has no claim \`${project.claim}\`, which names its project`);
  return name;
}

/** What makes another identity of the same subject: its calls count for someone else. */
export function textOf(owner: IdentityOwner): string[] {
  if (owner.kind === 'service account') return ['service account', owner.project, owner.account];
  return ['person', owner.person.email ?? '', owner.project ?? ''];
}

/** The id of a person that may use the gateway; undefined: there is none. */
export async function findPerson(manager: EntityManager, person: Person): Promise<string | undefined> {
  const [found] = await manager.query(
    `SELECT id FROM users WHERE kind = 'person'
       AND CASE WHEN $3::text IS NULL THEN oidc_issuer = $1 AND oidc_subject = $2 ELSE email = $3 END`,
    [person.issuer, person.subject, person.email],
  );
  return found?.id;
}

/** The id of a project in use; a 401 if there is none. */
export async function findProject(manager: EntityManager, name: string): Promise<string> {
  const [found] = await manager.query('SELECT id FROM projects WHERE lower(name) = lower($1) AND archived_at IS NULL', [
    name,
  ]);
  if (!found) throw refused('counts for a project that does not exist or is archived');
  return found.id;
}

export async function findAccount(
  manager: EntityManager,
  projectId: string,
  name: string,
): Promise<string | undefined> {
  const [found] = await manager.query(
    `SELECT id FROM users WHERE kind = 'service' AND project_id = $1 AND lower(name) = lower($2)`,
    [projectId, name],
  );
  return found?.id;
}

/** Another process may have created it meanwhile. */
export async function createdOrFound(
  create: () => Promise<{ readonly id: string }>,
  find: () => Promise<string | undefined>,
): Promise<string> {
  try {
    return (await create()).id;
  } catch (error) {
    const found = error instanceof UsageError ? await find() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

export function refused(what: string): GatewayError {
  return invalidApiKey(`The token ${what}.`);
}

/** A claim by its name, or by a path with dots such as Keycloak's `realm_access.roles`. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
      ? (value as Record<string, unknown>)[part]
      : undefined;
  }, claims);
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}
