import { isDeniedField } from '../../../completions/dto/denied-fields.js';
import type { NativeRequest } from '../../../completions/formats/call-format.js';
import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { isOwnReasoning } from '../../shared/carried-reasoning.js';
import { isOwnReasoningId } from '../ids/own-ids.js';
import { accountFileOf } from './account-files.js';
import { isAdditionalTools, withoutSearchTools } from './offered-tools.js';
import { type InputItem, isWebSearch, type ResponsesRequest, type ResponsesTool } from './responses-request.types.js';
import type { Translation } from './translation.js';

/**
 * The request for targets with the Responses API: unchanged, except for fields that no provider may receive.
 * `searches`: keeps web search.
 */
export function toNativeRequest(request: ResponsesRequest, translation: Translation, searches: boolean): NativeRequest {
  const fields = nativeFields(request);
  const leftOut = searches ? [] : pathsOfSearch(request);
  if (leftOut.length > 0) Object.assign(fields, withoutSearch(request));
  return {
    body: { api: 'responses', fields, headers: {} },
    leftOut,
    untranslated: translation.dropped,
    untranslatable: translation.refusal,
    accountFile: accountFileOf(request),
  };
}

/** Lists are passed on by reference, so that large ones can be sent as the received bytes. */
function nativeFields(request: ResponsesRequest): JsonObject {
  const fields: JsonObject = {};
  for (const name of Object.keys(request)) if (!isDeniedField(name)) fields[name] = request[name];
  fields.store = false;
  const { input } = request;
  if (typeof input === 'string') return fields;
  const kept = input.some(isOwnItem) ? input.filter((item) => !isOwnItem(item)) : input;
  fields.input = kept.some(isAdditionalTools) ? kept.map(withoutSearchTools) : kept;
  return fields;
}

function pathsOfSearch({ tools }: ResponsesRequest): string[] {
  return (tools ?? []).flatMap(({ type }, index) => (isWebSearch(type) ? [`tools[${index}]`] : []));
}

function withoutSearch({ tools, tool_choice: choice }: ResponsesRequest): JsonObject {
  const isLeft = ({ type }: ReadonlyJsonObject | ResponsesTool) => !isWebSearch(type);
  const left = { tools: tools?.filter(isLeft) };
  if (!isObject(choice) || choice.type !== 'allowed_tools') return left;
  return { ...left, tool_choice: { ...choice, tools: objectsOf(choice.tools).filter(isLeft) } };
}

/** Whether the gateway wrote this reasoning for a translated target, so that no provider can read it. */
function isOwnItem(item: InputItem): boolean {
  return (
    isObject(item) && item.type === 'reasoning' && (isOwnReasoning(item.encrypted_content) || isOwnReasoningId(item.id))
  );
}
