/** "alice-laptop" for alice@example.com. */
export function nameBase(email: string): string {
  const [local = 'my'] = email.split('@');
  return `${local.slice(0, 80)}-laptop`;
}

/** "alice-laptop", then "alice-laptop-2" */
export function freeName(email: string, taken: readonly string[]): string {
  const names = new Set(taken);
  const base = nameBase(email);
  let name = base;
  for (let number = 2; names.has(name); number++) name = `${base}-${number}`;
  return name;
}
