/** Tables that grow with calls, people or time: no statement may rewrite, scan or lock them for long. */
const GROWING = [
  'usage_calls\\w*',
  'usage_rollups\\w*',
  'usage_groups',
  'refused_calls',
  'recent_errors',
  'idempotent_calls',
  'limit_balances',
  'limit_caps',
  'budget_refusals',
  'limit_values',
  'api_keys',
  'users',
  'sessions',
  'one_time_links',
  'plan_grants',
  'audit_log',
  'audit_chain',
  'alerts',
  'stripe_\\w+',
].join('|');

const TABLE = `(?:only\\s+)?(?:public\\.)?"?(?<table>${GROWING})"?(?![\\w"])`;
const CONSTANT =
  /^(?:default\s+)?(?:'[^']*'(?:::[\w[\]]+)?|-?\d+(?:\.\d+)?|true|false|null|now\(\)|current_timestamp)(?!\w|\()/;

interface Rule {
  /** Matches lower-case statements with single spaces and without function bodies. */
  readonly found: RegExp;
  readonly unless?: RegExp;
  readonly remedy: string;
}

const PORTION = 'change rows in portions: backfill() or backfillTable() of growing-tables.ts';

const RULES: readonly Rule[] = [
  {
    found: new RegExp(`^create (?:unique )?index (?!concurrently)(?:if not exists )?(?:\\S+ )?on (?!only )${TABLE}`),
    remedy: 'it locks out writes while it builds: createIndexConcurrently() of growing-tables.ts',
  },
  {
    found: new RegExp(`^create materialized view .* from ${TABLE}`),
    remedy: 'it reads the whole table in one statement',
  },
  {
    found: new RegExp(`^reindex (?!.*concurrently).*${TABLE}`),
    remedy: 'it locks out writes: REINDEX … CONCURRENTLY in a migration with `transaction = false`',
  },
  {
    found: /^(?:cluster|vacuum[ (].*full|reindex (?:schema|database|system))/,
    remedy: 'it rewrites tables under a lock',
  },
  { found: new RegExp(`^lock (?:table )?.*${TABLE}(?! in access share)`), remedy: 'it makes calls wait: do without' },
  {
    found: new RegExp(`(?:^|; ?|begin |then |loop )update ${TABLE}`),
    unless: /\blimit \d+|\bctid >=/,
    remedy: PORTION,
  },
  {
    found: new RegExp(`(?:^|; ?|begin |then |loop |\\()delete from ${TABLE}`),
    unless: /\blimit \d+|\bctid >=/,
    remedy: PORTION,
  },
];

/** Rules for single actions of ALTER TABLE. */
const ACTIONS: readonly Rule[] = [
  {
    found: /^alter (?:column )?\S+ (?:set data )?type /,
    remedy: 'it rewrites the table: add a column, fill it by backfillTable(), and drop the old one in a later version',
  },
  {
    found: /^alter (?:column )?\S+ set not null/,
    remedy:
      'it scans the table under a lock: ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT',
  },
  {
    found: /^add (?:constraint \S+ )?(?:check|foreign key)/,
    unless: /not valid/,
    remedy: 'it scans the table under a lock: add NOT VALID, then VALIDATE CONSTRAINT in a later statement',
  },
  {
    found: /^add (?:constraint \S+ )?(?:unique|primary key|exclude)/,
    unless: /using index/,
    remedy: 'it builds an index under a lock: createIndexConcurrently({ unique: true }), then ADD … USING INDEX',
  },
  {
    found: /^add (?!constraint|check|foreign|unique|primary|exclude).* (?:unique|primary key|check ?\(|references )/,
    remedy: 'the constraint of the new column scans the table under a lock: add it apart, NOT VALID or USING INDEX',
  },
  {
    found: /^add (?!constraint).* (?:generated |(?:big|small)?serial\b)/,
    remedy: 'it rewrites the table: add a plain column, and fill it by backfillTable()',
  },
  { found: /^set (?:logged|unlogged|tablespace|access method)/, remedy: 'it rewrites the table' },
];

/**
 * Why a migration's statement must not run while calls are served; null if it can. `made`: tables that the migration
 * creates.
 */
export function faultOf(statement: string, made: readonly string[] = []): string | null {
  const text = simplified(statement);
  const found = RULES.find((rule) => isBroken(rule, text, made));
  const remedy = found?.remedy ?? actionFault(text, made);
  return remedy === undefined ? null : `"${text.slice(0, 120)}": ${remedy}`;
}

/** The table that a statement creates. */
export function madeBy(statement: string): string | null {
  return /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?"?(\w+)/.exec(simplified(statement))?.[1] ?? null;
}

function isBroken({ found, unless }: Rule, text: string, made: readonly string[]): boolean {
  const match = found.exec(text);
  const table = match?.groups?.table;
  return match !== null && !unless?.test(text) && (table === undefined || !made.includes(table));
}

function actionFault(text: string, made: readonly string[]): string | undefined {
  const [head, table] = new RegExp(`^alter table (?:if exists )?${TABLE} `).exec(text) ?? [];
  if (head === undefined || table === undefined || made.includes(table)) return undefined;
  for (const action of actionsOf(text.slice(head.length))) {
    const found = ACTIONS.find((rule) => isBroken(rule, action, made));
    if (found) return found.remedy;
    if (hasChangingDefault(action))
      return 'its default differs by row, which rewrites the table: fill it by backfillTable()';
  }
  return undefined;
}

/** A new column whose default may differ between rows. */
function hasChangingDefault(action: string): boolean {
  const [, value] = /^add (?!constraint).*? (default .*)$/.exec(action) ?? [];
  return value !== undefined && !CONSTANT.test(value);
}

/** Splits at commas outside parentheses and strings. */
function actionsOf(text: string): string[] {
  const parts = text.match(/(?:'[^']*'|\((?:[^()]|\([^()]*\))*\)|[^,])+/g) ?? [];
  return parts.map((part) => part.trim());
}

function simplified(statement: string): string {
  const plain = statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase();
  return /^create (?:or replace )?(?:function|procedure)/.test(plain) ? '' : plain;
}
