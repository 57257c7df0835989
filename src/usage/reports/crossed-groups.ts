import type { UsageGrouping } from '../usage.types.js';
import { FILTER_OF } from './usage-filter.js';
import { groupedSums } from './usage-ranking.js';
import type { UsageReading } from './usage-reading.js';
import { byCell, type Group, type GroupedQuestion, type UsageTally } from './usage-tally.js';

/** Have few values each, so that every value can be a filter. */
const NARROW = ['model', 'status', 'api', 'upstream'] as const satisfies readonly UsageGrouping[];
/** Have many values. Each is known from those before it: a key has one user, and a user at most one project. */
const WIDE = ['key', 'user', 'project'] as const satisfies readonly UsageGrouping[];

type Narrow = (typeof NARROW)[number];
type GroupIds = Partial<Record<UsageGrouping, Group>>;

/** The sums of one group in one cell. */
interface CrossedGroup {
  readonly cell: number;
  readonly ids: GroupIds;
  readonly tally: UsageTally;
}

/**
 * The sums by several things at once, for example by project, model and user. The roll-ups have the sums by one of them
 * within a filter, so all but one are filters here.
 */
export async function crossedGroups(
  reading: UsageReading,
  question: Omit<GroupedQuestion, 'groupBy'>,
  groupings: readonly UsageGrouping[],
): Promise<CrossedGroup[]> {
  const wide = WIDE.find((one) => groupings.includes(one));
  const narrow = NARROW.filter((one) => groupings.includes(one));
  const base = wide ?? narrow.pop() ?? null;
  const groups = await within(reading, question, narrow, base);
  if (wide === undefined) return groups;
  const derived = WIDE.filter((one) => one !== wide && groupings.includes(one));
  return derived.length === 0 ? groups : withOwners(reading, groups, wide);
}

async function within(
  reading: UsageReading,
  question: Omit<GroupedQuestion, 'groupBy'>,
  [filter, ...others]: readonly Narrow[],
  base: UsageGrouping | null,
): Promise<CrossedGroup[]> {
  if (filter === undefined) {
    const found = byCell(await groupedSums(reading, { ...question, groupBy: base }));
    return [...found].flatMap(([cell, groups]) =>
      [...groups].map(([id, tally]) => ({ cell, ids: base === null ? {} : { [base]: id }, tally })),
    );
  }
  const found = byCell(await groupedSums(reading, { ...question, groupBy: filter }));
  const values = new Set([...found.values()].flatMap((groups) => [...groups.keys()]));
  const parts: CrossedGroup[] = [];
  for (const value of values) {
    if (value === null) continue;
    const part = await within(reading, { ...question, [FILTER_OF[filter]]: [value] }, others, base);
    parts.push(...part.map((group) => ({ ...group, ids: { ...group.ids, [filter]: value } })));
  }
  if (!values.has(null)) return parts;
  // No filter finds requests without a value: they are what remains of all.
  const all = await within(reading, question, others, base);
  return [...parts, ...remainderOf(all, parts, filter)];
}

function remainderOf(all: readonly CrossedGroup[], parts: readonly CrossedGroup[], filter: Narrow): CrossedGroup[] {
  const named = Map.groupBy(parts, ({ cell, ids }) => nameOf(cell, { ...ids, [filter]: null }));
  return all.flatMap(({ cell, ids: otherIds, tally }) => {
    const ids = { ...otherIds, [filter]: null };
    for (const part of named.get(nameOf(cell, ids)) ?? []) tally.add(part.tally, -1);
    return tally.isEmpty ? [] : [{ cell, ids, tally }];
  });
}

function nameOf(cell: number, ids: GroupIds): string {
  return JSON.stringify([cell, ...[...NARROW, ...WIDE].map((one) => ids[one])]);
}

interface Owner {
  id: string;
  user: string | null;
  project: string | null;
}

/** Adds the users and projects of keys, or the projects of users. */
async function withOwners({ manager }: UsageReading, groups: CrossedGroup[], of: 'key' | 'user' | 'project') {
  const query =
    of === 'key'
      ? 'SELECT k.id, k.user_id AS user, u.project_id AS project FROM api_keys AS k JOIN users AS u ON u.id = k.user_id WHERE k.id = ANY ($1)'
      : 'SELECT id, id AS user, project_id AS project FROM users WHERE id = ANY ($1)';
  const required = [...new Set(groups.flatMap(({ ids }) => ids[of] ?? []))];
  const owners: Owner[] = await manager.query(query, [required]);
  const ownerOf = new Map(owners.map((owner) => [owner.id, owner]));
  return groups.map(({ ids, ...group }) => {
    const { user = null, project = null } = ownerOf.get(ids[of] ?? '') ?? {};
    return { ...group, ids: { user, project, ...ids } };
  });
}
