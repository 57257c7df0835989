/** Stripe sends either an id or the object itself. */
export function idOf(value: string | { id: string }): string {
  return typeof value === 'string' ? value : value.id;
}

export function toDate(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}
