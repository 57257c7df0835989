/** `reasoning_effort` from lowest to highest. */
const SCALE = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The supported level nearest to the requested effort; of two, the higher one. A request for some reasoning never
 * becomes `none`.
 */
export function nearestEffort(effort: string, given: readonly string[]): string {
  const wanted = SCALE.indexOf(effort);
  if (wanted < 0 || given.includes(effort)) return effort;
  const levels = given.filter((level) => level !== 'none');
  let nearest = effort;
  let least = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    const distance = Math.abs(SCALE.indexOf(level) - wanted);
    if (distance > least || (distance === least && SCALE.indexOf(level) < SCALE.indexOf(nearest))) continue;
    nearest = level;
    least = distance;
  }
  return nearest;
}
