const BASE = /^\/(?:openai\/)?v1\//i;

/** The door of the API by which a request came, by its path: `chat.completions`, `models`, or none. */
export function doorOf(path: string): string | undefined {
  if (path === '/v1/chat/completions') return 'chat.completions';
  const base = BASE.exec(path)?.[0];
  if (base === undefined) return undefined;
  const rest = path.slice(base.length).toLowerCase();
  if (/^chat\/completions\/?$/.test(rest)) return 'chat.completions';
  return /^models(\/|$)/.test(rest) ? 'models' : undefined;
}
