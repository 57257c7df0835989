import type { JsonObject, ReadonlyJsonObject } from '../../../contract/json.js';
import type { ProviderCall } from '../../../contract/provider.adapter.js';
import { outputLimit } from '../request-fields.js';

/** The fields of a native API that are adapted to the inner request. */
export interface NativeFieldNames {
  readonly outputLimit: string;
  /** Sampling fields: the API's name → the inner name. */
  readonly sampling: Readonly<Record<string, string>>;
}

/**
 * The client's fields in their order, with the upstream's model and, if that is lower, the inner request's output
 * limit. Sampling fields that the inner request lacks are left out. Values are passed on by reference.
 */
export function nativeFields(
  { request, upstreamModel }: ProviderCall,
  fields: ReadonlyJsonObject,
  names: NativeFieldNames,
): JsonObject {
  const body: JsonObject = { ...fields, model: upstreamModel };
  if ('stream' in fields || request.stream === true) body.stream = request.stream === true;
  const limit = outputLimit(request);
  const asked = fields[names.outputLimit];
  if (limit !== undefined && !(typeof asked === 'number' && asked <= limit)) body[names.outputLimit] = limit;
  for (const [theirs, ours] of Object.entries(names.sampling)) {
    if (request[ours] == null && hasEffect(fields[theirs])) delete body[theirs];
  }
  return body;
}

/** Nulls and empty lists are sent unchanged. */
function hasEffect(value: unknown): boolean {
  return value != null && !(Array.isArray(value) && value.length === 0);
}
