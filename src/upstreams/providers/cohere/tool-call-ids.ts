/** The ids of a conversation's tool calls: the API wants no two the same, and some upstreams count anew in each answer. */
export class ToolCallIds {
  private readonly used = new Set<string>();
  private readonly latest = new Map<string, string>();

  /** For a new call; results under the caller's id are from now on results of this one. */
  ofCall(id: string): string {
    let unique = id || 'call';
    while (this.used.has(unique)) unique += '_';
    this.used.add(unique);
    this.latest.set(id, unique);
    return unique;
  }

  ofResult(id: string): string {
    return this.latest.get(id) ?? (id || 'call');
  }
}
