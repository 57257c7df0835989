import { isObject, type JsonObject } from '../../contract/json.js';

const SERVICE_TIERS = new Set<unknown>(['auto', 'default', 'flex', 'scale', 'priority', 'fast']);

/** Copies known fields except the choices. */
export function copyEnvelope(from: JsonObject, to: JsonObject): void {
  if (SERVICE_TIERS.has(from.service_tier)) to.service_tier = from.service_tier;
  if (typeof from.system_fingerprint === 'string') to.system_fingerprint = from.system_fingerprint;
  const { moderation } = from;
  if (isObject(moderation) && isObject(moderation.input) && isObject(moderation.output)) to.moderation = moderation;
}
