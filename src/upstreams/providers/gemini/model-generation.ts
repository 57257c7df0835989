/** Whether a model has a thinking budget in tokens; all later models have a level. */
export function hasThinkingBudget(model: string): boolean {
  return /gemini-2\.5/.test(model);
}

/**
 * Gemini 3 and later refuse an earlier function call without its signature, and accept media in tool results
 * (ai.google.dev, "Multimodal function responses").
 */
export function isGemini3OrLater(model: string): boolean {
  return /(?:^|\/)gemini-(?![12][.-])/.test(model);
}

/** Whether thinking cannot be disabled. */
export function alwaysThinks(model: string): boolean {
  return /gemini-(?:2\.5|[3-9][\d.]*)-pro|gemini-pro-latest/.test(model);
}

/**
 * "Requests ending with a model turn are not supported", say 3.5 Flash-Lite, 3.6 and all later ones (ai.google.dev,
 * "Latest model").
 */
export function acceptsPrefill(model: string): boolean {
  return /gemini-(?:[12]\.|3(?:\.[0-4])?-|3\.5-flash(?!-lite))/.test(model);
}
