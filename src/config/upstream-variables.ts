import type { VariableSource } from './environment.js';
import type { AuthScheme } from './upstream-protocol.js';

/** The prefix of an upstream's variables: `OPENAI` in `OPENAI_API_KEY`. */
export function upstreamPrefix(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** The fields of an upstream that determine where its credential is. */
interface KeyHolder {
  readonly name: string;
  readonly scheme: AuthScheme;
  readonly keyVariables: readonly string[];
}

/** The variable of one of several keys: `OPENAI_API_KEY_BATCH`. */
export function keyVariable(prefix: string, name: string): string {
  return `${prefix}_API_KEY_${upstreamPrefix(name)}`;
}

/** The variables that set an upstream's credential, by its scheme. All variables of one of these groups are needed. */
export function credentialVariables({ name, scheme, keyVariables }: KeyHolder): string[][] {
  const keys = scheme.usesApiKeys ? keyVariables.map((variable) => [variable]) : [];
  return [...(scheme.variables?.(upstreamPrefix(name)) ?? []), ...keys];
}

/** The name under which a variable was set, possibly `NAME_FILE`, and where; null if it was not. */
export function givenVariable(
  name: string,
  variables: ReadonlyMap<string, VariableSource>,
): { name: string; source: NonNullable<VariableSource> } | null {
  for (const candidate of [name, `${name}_FILE`, name.replace(/_FILE$/, ''), name.toLowerCase()]) {
    const source = variables.get(candidate);
    if (source) return { name: candidate, source };
  }
  return null;
}
