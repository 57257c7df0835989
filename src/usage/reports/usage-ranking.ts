import type { UsageRanking, UsageSums } from '../usage.types.js';
import { refusedPart } from './refused-sums.js';
import { SqlParameters } from './usage-filter.js';
import type { UsageReading } from './usage-reading.js';
import {
  byGroup,
  type Group,
  type GroupedQuestion,
  type Sums,
  type SumsQuestion,
  type UsageTally,
} from './usage-tally.js';

export const GROUPS_ON_PAGE = 50;

/** Percentiles rank only this many groups, the ones with the most requests; the others follow. */
const RANKED_BY_TIME = 500;

const VALUES: Partial<Record<UsageRanking, string>> = {
  errors: 'errors',
  aborted: 'aborted',
  refused: '0',
  tokens: 'input_tokens + output_tokens',
  inputTokens: 'input_tokens',
  cachedTokens: 'cached_tokens',
  outputTokens: 'output_tokens',
  reasoningTokens: 'reasoning_tokens',
  costNanodollars: 'cost_nanodollars',
};

export interface RankedGroup {
  id: Group;
  sums: UsageSums;
  tally: UsageTally;
}

interface RankedRow {
  name: Group;
  groups: number;
}

/** A page of groups (0 is the first page) over a single cell, and the number of all groups. */
export async function rankedGroups(
  reading: UsageReading,
  question: GroupedQuestion,
  ranking: UsageRanking,
  page: number,
): Promise<{ groups: RankedGroup[]; groupCount: number }> {
  const { groupBy } = question;
  const isKnownByMany = groupBy === 'key' || groupBy === 'user';
  return isKnownByMany
    ? rankInDatabase(reading, { ...question, groupBy }, ranking, page)
    : rankOfAll(reading, question, ranking, page);
}

async function rankOfAll(reading: UsageReading, question: GroupedQuestion, ranking: UsageRanking, page: number) {
  const groups = rankedBy(ranking, await groupsOf(reading, question));
  return { groups: pageOf(groups, page), groupCount: groups.length };
}

/** The database sorts thousands of groups; only those on the page are read in full. */
async function rankInDatabase(reading: UsageReading, question: SumsQuestion, ranking: UsageRanking, page: number) {
  const isByTime = ranking.startsWith('p');
  const first = page * GROUPS_ON_PAGE;
  const isWithinRanked = isByTime && first < RANKED_BY_TIME;
  const rows = await rowsInOrder(
    reading,
    question,
    ranking,
    isWithinRanked ? { limit: RANKED_BY_TIME, offset: 0 } : { limit: GROUPS_ON_PAGE, offset: first },
  );
  if (rows.length === 0) return { groups: [], groupCount: first === 0 ? 0 : await countOf(reading, question) };
  const found = rankedBy(ranking, await groupsOf(reading, { ...question, only: rows.map(({ name }) => name) }));
  return { groups: isWithinRanked ? pageOf(found, page) : found, groupCount: rows[0]?.groups ?? 0 };
}

async function countOf(reading: UsageReading, question: SumsQuestion): Promise<number> {
  const [row] = await rowsInOrder(reading, question, 'requests', { limit: 1, offset: 0 });
  return row?.groups ?? 0;
}

async function rowsInOrder(
  reading: UsageReading,
  question: SumsQuestion,
  ranking: UsageRanking,
  { limit, offset }: { limit: number; offset: number },
): Promise<RankedRow[]> {
  const parameters = new SqlParameters();
  const requested = { ...question, namesAs: 'uuid' } as const;
  const value = VALUES[ranking] ?? 'calls';
  const called = await reading.allParts(
    requested,
    `calls, errors, 0::bigint AS refused, ${value} AS value`,
    parameters,
  );
  const columns = `0::bigint AS calls, 0::bigint AS errors, refused, ${ranking === 'refused' ? 'refused' : '0::bigint'} AS value`;
  const parts = [...called, ...refusedPart(requested, columns, parameters)];
  if (parts.length === 0) return [];
  // Summing each part separately lets Postgres scan large ones in parallel.
  const summed = parts.map(
    (part) => `SELECT name, sum(sign * calls)::bigint AS calls, sum(sign * errors)::bigint AS errors,
      sum(sign * refused)::bigint AS refused, sum(sign * value)::bigint AS value FROM (${part}) AS part GROUP BY name`,
  );
  return reading.manager.query(
    `SELECT name::text, count(*) OVER ()::int AS groups FROM (
       SELECT name, sum(calls) AS calls, sum(errors) AS errors, sum(refused) AS refused,
         sum(value) AS value
       FROM (${summed.join(' UNION ALL ')}) AS summed GROUP BY name
     ) AS ranked WHERE calls <> 0 OR errors <> 0 OR refused <> 0
     ORDER BY value DESC, calls DESC, name
     LIMIT ${parameters.add(limit, 'int')} OFFSET ${parameters.add(offset, 'int')}`,
    parameters.values,
  );
}

export async function groupsOf(reading: UsageReading, question: GroupedQuestion): Promise<RankedGroup[]> {
  return [...byGroup(await groupedSums(reading, question))].map(([id, tally]) => ({ id, sums: tally.sums(), tally }));
}

function pageOf(groups: RankedGroup[], page: number): RankedGroup[] {
  return groups.slice(page * GROUPS_ON_PAGE, (page + 1) * GROUPS_ON_PAGE);
}

/** In descending order; groups with the same value by requests. Groups without a value come last. */
function rankedBy(ranking: UsageRanking, groups: RankedGroup[]): RankedGroup[] {
  const value = (sums: UsageSums) =>
    ranking === 'tokens' ? sums.inputTokens + sums.outputTokens : Number(sums[ranking] ?? -1);
  return groups.sort(
    (a, b) =>
      value(b.sums) - value(a.sums) ||
      b.sums.requests - a.sums.requests ||
      (a.id === null ? 1 : b.id === null ? -1 : a.id < b.id ? -1 : 1),
  );
}

/** The sums of any grouping. By project, users without a project have the name null. */
export async function groupedSums(reading: UsageReading, question: GroupedQuestion): Promise<Sums[]> {
  const { groupBy } = question;
  return groupBy === 'project' ? projectSums(reading, question) : reading.sums({ ...question, groupBy });
}

/** Adds up the users of each project. The rest is the difference from the total. */
async function projectSums(reading: UsageReading, { only, ...question }: GroupedQuestion): Promise<Sums[]> {
  const projectOf = await projectsOfUsers(reading);
  const needsRest = only === undefined || only.includes(null);
  const isRequired = (project: string | undefined) => project !== undefined && (only?.includes(project) ?? true);
  const users = [...projectOf].filter(([, project]) => needsRest || isRequired(project)).map(([user]) => user);
  const byUser = users.length === 0 ? [] : await reading.sums({ ...question, groupBy: 'user', only: users });
  const ofProjects = byUser
    .map((sums) => ({ ...sums, name: projectOf.get(sums.name ?? '') ?? null }))
    .filter(({ name }) => isRequired(name ?? undefined));
  return needsRest ? [...ofProjects, ...(await restOf(reading, { ...question, groupBy: null }, byUser))] : ofProjects;
}

async function restOf(reading: UsageReading, question: SumsQuestion, ofProjects: readonly Sums[]): Promise<Sums[]> {
  const taken = ofProjects.map((sums): Sums => ({ ...sums, name: null, sign: sums.sign === 1 ? -1 : 1 }));
  return [...(await reading.sums(question)), ...taken];
}

async function projectsOfUsers({ manager }: UsageReading): Promise<Map<string, string>> {
  const query = 'SELECT id, project_id AS project FROM users WHERE project_id IS NOT NULL';
  const rows: { id: string; project: string }[] = await manager.query(query);
  return new Map(rows.map(({ id, project }) => [id, project]));
}
