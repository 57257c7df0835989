interface Source {
  /** The path of the item, or of the field that replaces it. */
  readonly item: string;
  /** The path of its content: `input[2].content`, `input[3].output` … */
  readonly content: string;
}

/** Fields of the inner form that have other names in the client's request. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^max_(?:completion_)?tokens$/, 'max_output_tokens'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^verbosity$/, 'text.verbosity'],
  [/^response_format(?:\.json_schema)?(?=$|\.)/, 'text.format'],
  [/^logprobs$/, 'include'],
  [/^messages$/, 'input'],
  [/^tool_choice\.(?:function|allowed_tools)(?=$|\.)/, 'tool_choice'],
  [/^tools\.function(?=$|\.)/, 'tools'],
];

const MESSAGE = /^messages\[(\d+)\](.*)$/;
const TOOL = /^tools\[(\d+)\](.*)$/;

/** Maps paths of the inner form to paths in the client's request. */
export class ClientPaths {
  private readonly messages: Source[] = [];
  private readonly tools: string[] = [];

  addMessage(item: string, content = item): void {
    this.messages.push({ item, content });
  }

  addTool(path: string): void {
    this.tools.push(path);
  }

  /** The client's path of a field of the inner form. Paths that are already the client's stay unchanged. */
  of(path: string): string {
    const [, message, within = ''] = MESSAGE.exec(path) ?? [];
    if (message !== undefined) return this.withinMessage(this.messages[Number(message)], within);
    const [, tool, rest = ''] = TOOL.exec(path) ?? [];
    if (tool !== undefined && rest.startsWith('.function')) {
      return (this.tools[Number(tool)] ?? 'tools') + rest.slice('.function'.length);
    }
    const [pattern, name] = NAMES.find(([pattern]) => pattern.test(path)) ?? [];
    return pattern && name ? path.replace(pattern, name) : path;
  }

  private withinMessage(source: Source | undefined, path: string): string {
    if (!source) return 'input';
    const [, part] = /^\.content(.*)$/.exec(path) ?? [];
    if (part === undefined) return source.item;
    // Parts that moved to another message are named by their item.
    if (source.content === source.item) return source.item;
    return source.content + part.replace(/\.image_url\.url$/, '.image_url').replace(/\.file(?=\.)/, '');
  }
}
