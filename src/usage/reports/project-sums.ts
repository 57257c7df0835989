import type { UsageReading } from './usage-reading.js';
import type { GroupedQuestion, Sums, SumsQuestion } from './usage-sums.types.js';

/** The sums of any grouping. By project, users without a project have the name null. */
export async function groupedSums(reading: UsageReading, question: GroupedQuestion): Promise<Sums[]> {
  const { groupBy } = question;
  return groupBy === 'project' ? projectSums(reading, question) : reading.sums({ ...question, groupBy });
}

/** Adds up the users of each project. The rest is the difference from the total. */
async function projectSums(reading: UsageReading, { only, ...question }: GroupedQuestion): Promise<Sums[]> {
  const projectOf = await projectsOfUsers(reading);
  const needsRest = only === undefined || only.includes(null);
  const isWanted = (project: string | undefined) => project !== undefined && (only?.includes(project) ?? true);
  const users = [...projectOf].filter(([, project]) => needsRest || isWanted(project)).map(([user]) => user);
  const byUser = users.length === 0 ? [] : await reading.sums({ ...question, groupBy: 'user', only: users });
  const ofProjects = byUser
    .map((sums) => ({ ...sums, name: projectOf.get(sums.name ?? '') ?? null }))
    .filter(({ name }) => isWanted(name ?? undefined));
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
