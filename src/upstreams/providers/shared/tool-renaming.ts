import type { ChatTool } from '../../contract/chat.types.js';

/** Which names an API takes, and what becomes of another. */
export interface NameForm {
  readonly taken: RegExp;
  /** A name of the right form for one that is not. */
  readonly mended: (name: string) => string;
}

/** A name in the form that an API takes. */
export function takenName(name: string, { taken, mended }: NameForm): string {
  return taken.test(name) ? name : mended(name);
}

/**
 * Names of tools, there and back, for an API that takes fewer than OpenAI's format has: a name that it would refuse is
 * changed, in a way that depends on the request's tools alone.
 */
export class ToolRenaming {
  private readonly changed = new Map<string, string>();
  private readonly original = new Map<string, string>();

  constructor(
    tools: readonly ChatTool[] | null | undefined,
    private readonly form: NameForm,
  ) {
    const names = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []));
    const strange = names.filter((name) => !form.taken.test(name));
    if (strange.length === 0) return;
    const used = new Set(names);
    for (const name of strange) {
      if (this.changed.has(name)) continue;
      let taken = form.mended(name);
      while (used.has(taken)) taken += '_';
      used.add(taken);
      this.changed.set(name, taken);
      this.original.set(taken, name);
    }
  }

  /** The name that the API is told; that of a tool of the history which is offered no more has the right form alone. */
  toApi(name: string): string {
    return this.changed.get(name) ?? takenName(name, this.form);
  }

  /** The name that the caller knows. */
  toCaller(name: string): string {
    return this.original.get(name) ?? name;
  }
}
