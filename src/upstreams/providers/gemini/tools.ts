import type { FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { allowedNames, chosenName, functionTools, offeredFunctions } from '../shared/offered-tools.js';
import { type NameForm, ToolRenaming } from '../shared/tool-renaming.js';

/** Web search is a built-in tool. If the model may only choose among some tools, the others are not declared. */
export function toTools(call: ProviderCall): JsonObject {
  const { tools, tool_choice: choice, web_search_options: search } = call.request;
  const names = functionNames(call);
  const declared = mustChooseAmong(choice) ? functionTools(tools) : offeredFunctions(call.request);
  const fields: JsonObject[] = [];
  if (declared.length > 0) fields.push({ functionDeclarations: declared.map((tool) => declarationOf(tool, names)) });
  if (isObject(search)) fields.push({ googleSearch: {} });
  if (fields.length === 0) return {};
  const mode = declared.length > 0 ? callingConfig(choice, names) : undefined;
  return { tools: fields, ...(mode && { toolConfig: { functionCallingConfig: mode } }) };
}

function declarationOf({ function: { name, description, parameters } }: FunctionTool, names: ToolRenaming): JsonObject {
  return {
    name: names.toApi(name),
    ...(description != null && { description }),
    ...(parameters != null && { parametersJsonSchema: parameters }),
  };
}

/** Undefined for `auto`, the API's default. */
function callingConfig(choice: ToolChoice | undefined, names: ToolRenaming): JsonObject | undefined {
  const onlyOf = (chosen: readonly string[]) => ({
    mode: 'ANY',
    allowedFunctionNames: chosen.map((name) => names.toApi(name)),
  });
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'required') return { mode: 'ANY' };
  if (mustChooseAmong(choice)) return onlyOf(allowedNames(choice) ?? []);
  const name = chosenName(choice);
  return name === undefined ? undefined : onlyOf([name]);
}

/** Whether one of several named tools must be called. */
function mustChooseAmong(choice: ToolChoice | undefined): boolean {
  return isObject(choice) && choice.type === 'allowed_tools' && choice.allowed_tools.mode === 'required';
}

/**
 * `FunctionDeclaration.name` of Google's SDK: "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or
 * contain underscores, dots, colons and dashes, with a maximum length of 128."
 */
const FORM: NameForm = {
  valid: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  repair: (name) =>
    name
      .replace(/[^A-Za-z0-9_.:-]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, 128),
};

export function functionNames({ request }: ProviderCall): ToolRenaming {
  return new ToolRenaming(request.tools, FORM);
}
