import type { ChatTool } from '../../chat.types.js';

const TAKEN = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Names of tools, there and back. The API takes letters, digits and `_`, with no digit first; a name with other
 * characters is changed, in a way that depends on the request's tools alone.
 */
export class ToolNames {
  private readonly changed = new Map<string, string>();
  private readonly original = new Map<string, string>();

  constructor(tools: readonly ChatTool[] = []) {
    const names = tools.flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []));
    const strange = names.filter((name) => !TAKEN.test(name));
    if (strange.length === 0) return;
    const used = new Set(names);
    for (const name of strange) {
      if (this.changed.has(name)) continue;
      let taken = takenName(name);
      while (used.has(taken)) taken += '_';
      used.add(taken);
      this.changed.set(name, taken);
      this.original.set(taken, name);
    }
  }

  /** The name that the API is told; that of a tool of the history which is offered no more has the right form alone. */
  toApi(name: string): string {
    return this.changed.get(name) ?? takenName(name);
  }

  /** The name that the caller knows. */
  toCaller(name: string): string {
    return this.original.get(name) ?? name;
  }
}

function takenName(name: string): string {
  return TAKEN.test(name) ? name : name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
}
