/** `reasoning_effort` from lowest to highest. */
const SCALE = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The supported level nearest to the requested effort; of two, the higher one. A request for some reasoning never
 * becomes `none`.
 */
export function nearestEffort(effort: string, given: readonly string[]): string {
  const wanted = SCALE.indexOf(effort);
  if (wanted < 0 || given.includes(effort)) return effort;
  const distance = (level: string) => Math.abs(SCALE.indexOf(level) - wanted);
  const [nearest = effort] = given
    .filter((level) => level !== 'none')
    .sort((one, other) => distance(one) - distance(other) || SCALE.indexOf(other) - SCALE.indexOf(one));
  return nearest;
}
