/** The vendor in a model id (`us.amazon.nova-lite-v1:0` → `amazon`) or in an ARN with such an id; '' if it has none. */
export function modelFamily(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return /^(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?([a-z0-9-]+)\./.exec(id)?.[1] ?? '';
}
