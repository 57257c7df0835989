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

/**
 * The levels of OpenAI's models: "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.
 * Supported values are: 'none', 'low', 'medium', 'high', 'xhigh'." (GPT-5.6), and the guide to reasoning for the others.
 */
export function openAiEfforts(model: string): readonly string[] | undefined {
  if (/-pro\b|-chat\b|codex/.test(model)) return undefined;
  if (/^gpt-5\.[2-9]/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh'];
  if (/^gpt-5\.1/.test(model)) return ['none', 'low', 'medium', 'high'];
  if (/^gpt-5(?:-|$)/.test(model)) return ['minimal', 'low', 'medium', 'high'];
  return /^o[134](?:-|$)/.test(model) ? ['low', 'medium', 'high'] : undefined;
}
