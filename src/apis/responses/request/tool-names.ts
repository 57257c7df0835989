import { LONGEST_NAME, shortName } from '../../shared/short-name.js';
import { isNamespaceTool, isOwnTool, type OwnTool, type ResponsesTool } from './responses-request.types.js';

/** A tool as the client knows it. */
export interface CalledTool {
  readonly name: string;
  readonly namespace?: string;
  /** Whether it takes free text. For translated targets it becomes a function with one argument, `input`. */
  readonly isCustom: boolean;
}

/**
 * Unique names of tools for translated targets: 1 to 64 letters, digits, underscores and dashes. They depend only on
 * the request's tools, so that they are the same in all turns of a conversation.
 */
export class ToolNames {
  private readonly offeredNames = new Map<string, string>();
  private readonly tools = new Map<string, CalledTool>();

  constructor(tools: readonly ResponsesTool[]) {
    const own = tools.filter(isOwnTool);
    // Names that are valid already are assigned first.
    for (const tool of own) if (toName(tool.name) === tool.name) this.add(undefined, tool);
    for (const tool of own) if (toName(tool.name) !== tool.name) this.add(undefined, tool);
    for (const space of tools.filter(isNamespaceTool)) for (const tool of space.tools) this.add(space.name, tool);
  }

  /** Tools of earlier calls that are no longer offered only get a valid name. */
  offered(namespace: string | null | undefined, name: string): string {
    return this.offeredNames.get(keyOf(namespace, name)) ?? toName(joined(namespace, name));
  }

  /** The tool that the model called; unknown names are kept. */
  called(offered: string): CalledTool {
    return this.tools.get(offered) ?? { name: offered, isCustom: false };
  }

  /** The offered names of all tools in a namespace. */
  ofNamespace(namespace: string): string[] {
    return [...this.tools].filter(([, tool]) => tool.namespace === namespace).map(([offered]) => offered);
  }

  private add(namespace: string | undefined, tool: OwnTool): void {
    const key = keyOf(namespace, tool.name);
    if (this.offeredNames.has(key)) return;
    let offered = toName(joined(namespace, tool.name));
    for (let attempt = 1; this.tools.has(offered); attempt++) offered = shortName(offered, `${key}${attempt}`);
    this.offeredNames.set(key, offered);
    this.tools.set(offered, {
      name: tool.name,
      ...(namespace !== undefined && { namespace }),
      isCustom: tool.type === 'custom',
    });
  }
}

function joined(namespace: string | null | undefined, name: string): string {
  if (!namespace) return name;
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

function toName(name: string): string {
  const valid = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return valid === name && name.length <= LONGEST_NAME ? name : shortName(valid, name);
}

function keyOf(namespace: string | null | undefined, name: string): string {
  return `${namespace ?? ''}\0${name}`;
}
