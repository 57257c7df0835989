import { CAPABILITIES, type Capability, type ProviderAdapter } from '../../contract/provider.adapter.js';

/**
 * The capabilities of an API that supports only these. Requests for those in `forwarding` are sent unchanged, as it
 * depends on the model or server whether they are supported.
 */
export function supporting(
  supported: readonly Capability[],
  { forwarding = [] }: { forwarding?: readonly Capability[] } = {},
): ProviderAdapter['capabilities'] {
  const declared = CAPABILITIES.filter((capability) => !forwarding.includes(capability));
  return Object.fromEntries(declared.map((capability) => [capability, supported.includes(capability)]));
}
