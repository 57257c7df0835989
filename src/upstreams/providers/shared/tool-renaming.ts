import type { ChatTool } from '../../contract/chat.types.js';

export interface NameForm {
  readonly valid: RegExp;
  /** Converts a name to a valid name. */
  readonly repair: (name: string) => string;
}

export function validName(name: string, { valid, repair }: NameForm): string {
  return valid.test(name) ? name : repair(name);
}

/**
 * Renames tools for an API that allows fewer characters than OpenAI's format, and restores the names in answers.
 * Depends only on the request's tools.
 */
export class ToolRenaming {
  private readonly changed = new Map<string, string>();
  private readonly original = new Map<string, string>();

  constructor(
    tools: readonly ChatTool[] | null | undefined,
    private readonly form: NameForm,
  ) {
    const names = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []));
    const invalid = names.filter((name) => !form.valid.test(name));
    if (invalid.length === 0) return;
    const used = new Set(names);
    for (const name of invalid) {
      if (this.changed.has(name)) continue;
      let unique = form.repair(name);
      while (used.has(unique)) unique += '_';
      used.add(unique);
      this.changed.set(name, unique);
      this.original.set(unique, name);
    }
  }

  /** Tools of earlier calls that are no longer offered only get a valid name. */
  toApi(name: string): string {
    return this.changed.get(name) ?? validName(name, this.form);
  }

  toCaller(name: string): string {
    return this.original.get(name) ?? name;
  }
}
