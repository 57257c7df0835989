/** How much a model thinks, in the format's words, from least to most. */
const SCALE = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * Of the levels that a model has, the one nearest to the effort that is asked for; of two, the greater. Whoever asks for
 * little thinking does not ask for none.
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
