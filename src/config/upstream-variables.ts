import type { VariableSource } from './environment.js';
import type { AuthScheme } from './upstream-protocol.js';

/** What the variables of an upstream begin with: `OPENAI` in `OPENAI_API_KEY`. */
export function upstreamPrefix(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** What of an upstream decides where its credential stands. */
interface CredentialOwner {
  readonly name: string;
  readonly scheme: AuthScheme;
  readonly keyVariables: readonly string[];
}

/** The variable of one of several keys: `OPENAI_API_KEY_BATCH`. */
export function keyVariable(prefix: string, name: string): string {
  return `${prefix}_API_KEY_${upstreamPrefix(name)}`;
}

/**
 * The variables that give an upstream its credential, by how it is given it: one of these groups is needed, all of a
 * group's variables together.
 */
export function credentialVariables({ name, scheme, keyVariables }: CredentialOwner): string[][] {
  const keys = scheme.usesApiKeys ? keyVariables.map((variable) => [variable]) : [];
  return [...(scheme.variables?.(upstreamPrefix(name)) ?? []), ...keys];
}

/** The name under which a variable was given, be it as `NAME_FILE`, and where; null: it was not. */
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
