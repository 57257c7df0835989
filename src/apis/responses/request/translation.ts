import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';

/** Limits the length of the response header with these names. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 64;

/** The caller's name of a field, safe in a response header. */
export function printable(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.-]/g, '?');
}

/** Notes what the inner form cannot express, and the client's paths of its parts. */
export class Translation {
  readonly paths = new ClientPaths();
  /** The paths of parts that translated targets do not receive and do not need. */
  readonly dropped: string[] = [];
  /** The 400 for the first part that only targets with the Responses API can serve. */
  refusal: GatewayError | null = null;

  /** Parts of messages and results that only native targets read. */
  readonly nativeParts: object[] = [];

  drop(path: string): void {
    if (this.dropped.length < MAX_NAMED) this.dropped.push(path);
  }

  refusePart(part: object, path: string): void {
    this.nativeParts.push(part);
    this.refuse(`${path}.type`);
  }

  refuse(path: string, remedy = 'Leave it out'): void {
    const message = `'${path}' is not supported by this model's provider. ${remedy}, or choose another model.`;
    this.refusal ??= invalidRequest('unsupported_parameter', path, message);
  }
}

interface Source {
  /** The path of the item, or of the field that replaces it. */
  readonly item: string;
  /** The path of its content: `input[2].content`, `input[3].output` … */
  readonly content: string;
  /** The path of the first picture of an answer. */
  readonly images?: string | undefined;
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
class ClientPaths {
  private readonly messages: Source[] = [];
  private readonly tools: string[] = [];
  /** The first picture of the answer whose message is not added yet. */
  private images: string | undefined;

  addMessage(item: string, content = item): void {
    this.messages.push({ item, content, images: this.images });
    this.images = undefined;
  }

  addImages(path: string): void {
    this.images ??= path;
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
    if (path === '.images' && source.images !== undefined) return source.images;
    const [, part] = /^\.content(.*)$/.exec(path) ?? [];
    if (part === undefined) return source.item;
    // Parts that moved to another message are named by their item.
    if (source.content === source.item) return source.item;
    return source.content + part.replace(/\.image_url\.url$/, '.image_url').replace(/\.file(?=\.)/, '');
  }
}
