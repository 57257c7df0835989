/** Every permission of the API under `/api`. Routes, access tokens, service accounts and the console read this list. */
export const PERMISSIONS = {
  'keys.read': 'See API keys and their last use',
  'keys.write': 'Create, change, rotate and revoke API keys',
  'users.read': 'See users, their plans and limits',
  'users.write': 'Invite, change, disable and forget users; give service accounts permissions',
  'projects.read': 'See projects, their members and service accounts',
  'projects.write': 'Create, change and archive projects; change members and service accounts',
  'plans.read': 'See plans',
  'plans.write': 'Create, change, grant and end plans',
  'limits.write': 'Set limits and budgets of users and projects',
  'guards.read': 'See guards, where they apply and what they found',
  'guards.write': 'Set the guards of plans, projects and keys',
  'usage.read': 'See usage, costs and limits',
  'requests.read': 'See single requests',
  'content.read': 'Read logged prompts and answers',
  'audit.read': 'Read and export the audit log',
  'upstreams.read': 'See providers and their state',
  'upstreams.test': 'Send a test request to a provider',
  'alerts.read': 'See alerts',
  'alerts.write': 'Send a test alert',
  'settings.read': 'See the settings of the gateway',
  'tokens.write': 'List, create, change and revoke access tokens',
  apply: 'Apply a configuration file',
  scim: 'Provision users and groups by SCIM',
  account: 'See and change the own account, sessions and payments',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Those that a service account can have: it has no account to sign in with. */
export const GRANTABLE_PERMISSIONS: readonly Permission[] = PERMISSION_NAMES.filter((name) => name !== 'account');

/** What a permission reaches: everything, what the person owns, or one project. */
export type Reach = 'all' | 'project' | 'own';

type RoleName = 'administrator' | 'member' | 'project manager' | 'project member';

interface RoleDefinition {
  readonly reach: Reach;
  readonly permissions: ReadonlySet<Permission>;
}

const of = (reach: Reach, permissions: readonly Permission[]): RoleDefinition => ({
  reach,
  permissions: new Set(permissions),
});

/** Everybody has the role of a member for their own things, and may have further roles in projects. */
export const ROLES: Readonly<Record<RoleName, RoleDefinition>> = {
  administrator: of('all', PERMISSION_NAMES),
  'project manager': of('project', [
    ...(['keys.read', 'keys.write', 'projects.read', 'projects.write', 'limits.write'] as const),
    ...(['guards.read', 'guards.write'] as const),
    ...(['usage.read', 'requests.read', 'content.read', 'tokens.write'] as const),
  ]),
  'project member': of('project', ['keys.read', 'projects.read', 'usage.read', 'requests.read']),
  member: of('own', [
    ...(['keys.read', 'keys.write', 'plans.read', 'projects.read'] as const),
    ...(['usage.read', 'requests.read', 'content.read', 'tokens.write', 'account'] as const),
  ]),
};

/** By the roles that users and members have. */
const OF_USER = { admin: ROLES.administrator, member: ROLES.member };
const OF_PROJECT = {
  manager: ROLES['project manager'],
  member: ROLES['project member'],
};
const NONE: ReadonlySet<Permission> = new Set();

interface RightsOwner {
  readonly kind: string;
  readonly role: keyof typeof OF_USER;
  readonly permissions: readonly Permission[];
}

/** What a signed-in person, or an access token of a user, may do. */
export class Rights {
  private constructor(
    private readonly everywhere: ReadonlySet<Permission>,
    private readonly owned: ReadonlySet<Permission>,
    /** Of an access token; null: not limited. */
    private readonly scopes: ReadonlySet<Permission> | null,
  ) {}

  static of({ kind, role, permissions }: RightsOwner, scopes?: readonly Permission[]) {
    const { reach, permissions: given } = OF_USER[role];
    const limit = scopes ? new Set(scopes) : null;
    if (kind !== 'person') return new Rights(new Set(permissions), NONE, limit);
    return new Rights(reach === 'all' ? given : NONE, given, limit);
  }

  /** Whether a token's scopes allow it, whatever its owner may do. */
  hasScope(permission: Permission): boolean {
    return this.scopes === null || this.scopes.has(permission);
  }

  /** For everything that the gateway has. */
  mayAll(permission: Permission): boolean {
    return this.everywhere.has(permission) && this.hasScope(permission);
  }

  /** Null: they are those of an administrator, so that making one gives nothing more. Else a permission that is missing. */
  get missingOfAdministrator(): Permission | null {
    return GRANTABLE_PERMISSIONS.find((name) => !this.mayAll(name)) ?? null;
  }

  mayOwn(permission: Permission): boolean {
    return (this.owned.has(permission) || this.everywhere.has(permission)) && this.hasScope(permission);
  }

  /** In a project where the person has this role; null: none. */
  mayIn(role: keyof typeof OF_PROJECT | null, permission: Permission): boolean {
    const isGiven = role !== null && OF_PROJECT[role].permissions.has(permission);
    return (isGiven || this.everywhere.has(permission)) && this.hasScope(permission);
  }

  /** Whether it is given with at least this reach; in projects, the role there is still to be checked. */
  reaches(permission: Permission, reach: Reach): boolean {
    if (reach === 'project') return this.hasScope(permission);
    return reach === 'all' ? this.mayAll(permission) : this.mayOwn(permission);
  }

  /** Names the rights, for caches. */
  get key(): string {
    return PERMISSION_NAMES.map((name) =>
      [this.mayAll(name), this.mayOwn(name), this.hasScope(name)].map(Number).join(''),
    ).join('');
  }
}

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}
