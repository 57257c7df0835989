import type { ChatCompletionRequest, FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { chosenName, mustCall, NO_PARAMETERS, offeredFunctions } from '../shared/requested-tools.js';
import { type NameForm, ToolRenaming } from '../shared/tool-calls.js';

/** Offers only the chosen tools, as the API cannot choose a tool by name. */
export function toTools(request: ChatCompletionRequest, names: ToolRenaming): JsonObject {
  const { tool_choice: choice } = request;
  const chosen = chosenName(choice);
  const offered = offeredFunctions(request).filter((tool) => chosen === undefined || tool.function.name === chosen);
  if (offered.length === 0) return {};
  const word = choiceWord(choice);
  return {
    tools: offered.map((tool) => toTool(tool, names)),
    ...(offered.every(isStrict) && { strict_tools: true }),
    ...(word && { tool_choice: word }),
  };
}

/** The API requires a description or parameters. */
function toTool({ function: { name, description, parameters } }: FunctionTool, names: ToolRenaming): JsonObject {
  const schema = parameters && Object.keys(parameters).length > 0 ? parameters : NO_PARAMETERS;
  return {
    type: 'function',
    function: { name: names.toApi(name), description: description?.trim() ? description : name, parameters: schema },
  };
}

/** Whether all tools are strict; the API allows that only if a tool has a required parameter. */
function isStrict({ function: { strict, parameters } }: FunctionTool): boolean {
  return strict === true && Array.isArray(parameters?.required) && parameters.required.length > 0;
}

/** Undefined for `auto`, the API's default. */
function choiceWord(choice: ToolChoice | undefined): 'REQUIRED' | 'NONE' | undefined {
  if (choice === 'none') return 'NONE';
  return mustCall(choice) ? 'REQUIRED' : undefined;
}

/** The API allows letters, digits and `_`, and no leading digit. */
const FORM: NameForm = {
  valid: /^[A-Za-z_][A-Za-z0-9_]*$/,
  repair: (name) => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_'),
};

export function toolNames({ tools }: Pick<ChatCompletionRequest, 'tools'>): ToolRenaming {
  return new ToolRenaming(tools, FORM);
}

/** The API's arguments for a call without any. */
const NONE = 'null';

/** JSON text, `{}` if there are none. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === NONE ? '{}' : value;
  return value === undefined || value === null ? '{}' : JSON.stringify(value);
}

/** Arguments of a streamed call, held back only while they may still be `null`. */
export class StreamedArguments {
  private pendingText = '';
  private known = false;

  constructor(private readonly send: (text: string) => void) {}

  add(text: string): void {
    if (this.known) {
      if (text !== '') this.send(text);
      return;
    }
    this.pendingText += text;
    if (NONE.startsWith(this.pendingText.trim())) return;
    this.known = true;
    this.send(this.pendingText);
  }

  end(): void {
    if (!this.known) this.send('{}');
  }
}
