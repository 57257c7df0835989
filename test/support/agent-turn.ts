/** The scenario `agent-turn` of the providers' fixtures: reasoning, text and two calls of `tide_at`. */
export const AGENT_TURN = {
  question: 'When is high water at Husum and at Büsum?',
  text: 'I look up Husum and Büsum.',
  tool: 'tide_at',
  schema: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
} as const;

/** What each API needs back of the turn's reasoning. Absent: it needs none. */
export const NEEDED_REASONING: Readonly<Record<string, string>> = {
  anthropic: 'EqQBCkYIBxgCKkAhdGlkZS1vZi1IdXN1bS1hbmQtQsO8c3Vt',
  bedrock: 'EqQBCkYIBxgCKkAhdGlkZS1vZi1IdXN1bS1hbmQtQsO8c3Vt',
  gemini: 'c2lnbmF0dXJlLW9mLXRoZS1maXJzdC1jYWxs',
  'openai-responses': `gAAAAABo0pZ${'K'.repeat(40)}`,
  openrouter: 'c2lnbmVkLXRoZS1sb25nLXdheQ==',
};

/** Where a request's body has the texts; −1: nowhere. */
export function positionsIn(body: unknown, texts: readonly string[]): number[] {
  const json = JSON.stringify(body);
  return texts.map((text) => json.indexOf(text));
}

/** Whether the body has all texts in this order. */
export function isInOrder(body: unknown, texts: readonly string[]): boolean {
  return positionsIn(body, texts).every((position, index, all) => position > (all[index - 1] ?? 0));
}
