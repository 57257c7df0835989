/** Models that are told how much to think in tokens, and not by a level as all later ones are. */
export function takesThinkingBudget(model: string): boolean {
  return /gemini-2\.5/.test(model);
}

/** Models that refuse a history in which a function call has lost its signature: Gemini 3 and later. */
export function demandsSignatures(model: string): boolean {
  return /(?:^|\/)gemini-(?![12][.-])/.test(model);
}

/** Models that take media within a function's result (ai.google.dev, "Multimodal function responses"): Gemini 3 and later. */
export function takesMediaInResults(model: string): boolean {
  return demandsSignatures(model);
}

/** Models that cannot be kept from thinking. */
export function alwaysThinks(model: string): boolean {
  return /gemini-(?:2\.5|[3-9][\d.]*)-pro|gemini-pro-latest/.test(model);
}

/**
 * Models that go on with a turn of their own: "Requests ending with a model turn are not supported", say 3.5 Flash-Lite,
 * 3.6 and all later ones (ai.google.dev, "Latest model").
 */
export function takesPrefill(model: string): boolean {
  return /gemini-(?:[12]\.|3(?:\.[0-4])?-|3\.5-flash(?!-lite))/.test(model);
}
