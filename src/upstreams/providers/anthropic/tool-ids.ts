const VALID = /^[a-zA-Z0-9_-]+$/;

/**
 * The ids of a conversation's tool calls in the form that the API takes: of letters, digits, `_` and `-`, and no two the
 * same. Other upstreams write them otherwise, or begin to count anew in each answer.
 */
export class ToolIds {
  private readonly used = new Set<string>();
  private readonly latest = new Map<string, string>();

  /** The id of a new call; results under the caller's id are from now on results of this one. */
  callOf(id: string): string {
    let unique = validId(id);
    while (this.used.has(unique)) unique += '_';
    this.used.add(unique);
    this.latest.set(id, unique);
    return unique;
  }

  resultOf(id: string): string {
    return this.latest.get(id) ?? validId(id);
  }
}

/** A tool's name as it may stand in a history; an upstream's model may have called it anything. */
export function validToolName(name: string): string {
  return VALID.test(name) ? name.slice(0, 128) : name.slice(0, 128).replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}

function validId(id: string): string {
  if (VALID.test(id)) return id;
  return id.replace(/[^a-zA-Z0-9-]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}`) || '_';
}
