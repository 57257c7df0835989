interface Setter {
  readonly table: string;
  readonly type: string;
  /** `value`: the new one; `binds`: it is a bound for the key's owner; $2: the actor's id. */
  readonly set: string;
}

const DISABLED = { table: 'users', type: 'boolean', set: 'disabled_at = CASE WHEN value THEN now() END' };
const bound = (column: string) =>
  `${column} = value, bound_${column} = CASE WHEN binds THEN value END, bound_by = $2::uuid`;
const guardsOf = (table: string) => ({ table, type: 'text[]', set: 'guards = value' });
const CACHE =
  "cache_seconds = CASE value WHEN 'none' THEN 0 WHEN 'default' THEN NULL ELSE extract(epoch FROM value::interval)::int END";

/** How a field of a kind is stored: `plan.name`. Members, limits and plans of users have statements of their own. */
export const SETTERS: Readonly<Record<string, Setter>> = {
  'plan.name': { table: 'plans', type: 'text', set: 'name = value' },
  'plan.tiers': { table: 'plans', type: 'text[]', set: 'tiers = value' },
  'plan.models': { table: 'plans', type: 'text[]', set: 'models = value' },
  'plan.rank': { table: 'plans', type: 'int', set: 'rank = -value' },
  'plan.retired': { table: 'plans', type: 'boolean', set: 'retired_at = CASE WHEN value THEN now() END' },
  'plan.guards': guardsOf('plans'),
  'user.name': { table: 'users', type: 'text', set: 'name = value' },
  'user.role': { table: 'users', type: 'text', set: 'role = value' },
  'user.disabled': DISABLED,
  'service account.disabled': DISABLED,
  'project.contentLog': { table: 'projects', type: 'boolean', set: 'logs_content = value' },
  'project.cache': { table: 'projects', type: 'text', set: CACHE },
  'project.guards': guardsOf('projects'),
  'key.name': { table: 'api_keys', type: 'text', set: 'name = value' },
  'key.note': { table: 'api_keys', type: 'text', set: 'note = value' },
  'key.models': { table: 'api_keys', type: 'text[]', set: bound('models') },
  'key.addresses': { table: 'api_keys', type: 'text[]', set: bound('addresses') },
  'key.expires': { table: 'api_keys', type: 'timestamptz', set: bound('expires_at') },
  'key.contentLog': { table: 'api_keys', type: 'boolean', set: 'logs_content = value' },
  'key.cache': { table: 'api_keys', type: 'text', set: CACHE },
  'key.guards': guardsOf('api_keys'),
  'key.disabled': {
    table: 'api_keys',
    type: 'boolean',
    set: 'disabled_at = CASE WHEN value THEN now() END, disabled_by = CASE WHEN value THEN $2::uuid END',
  },
};
