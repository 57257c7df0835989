/**
 * The vendor in a model id (`us.amazon.nova-lite-v1:0` → `amazon`) or in the ARN of a model or of an inference profile
 * with such an id; '' where it tells none.
 */
export function modelFamily(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return /^(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?([a-z0-9-]+)\./.exec(id)?.[1] ?? '';
}

/** `anthropic.claude-sonnet-4-5-20250929-v1:0` → 405; a name without a version counts as a new model's. */
export function claudeVersion(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}
