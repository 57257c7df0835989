import type { Schema } from './document';

/** What values of a schema have to keep to, besides its type: `1 to 256 characters`, `default: 50`. */
export function limitsOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, 'character', 'characters'),
    range(schema.minItems, schema.maxItems, 'item', 'items'),
    numbers(schema.minimum, schema.maximum),
    schema.pattern && `matches ${schema.pattern}`,
    schema.default !== undefined && `default: ${asText(schema.default)}`,
  ].filter((limit) => typeof limit === 'string' && limit !== '') as string[];
}

/** The values of an enumeration, as a program writes them. */
export function valuesOf({ enum: values = [] }: Schema): string[] {
  return values.filter((value) => value !== null).map(asText);
}

function range(least: number | undefined, most: number | undefined, one: string, many: string): string {
  if (least === undefined && most === undefined) return '';
  const unit = (most ?? least) === 1 ? one : many;
  if (most === undefined) return least === 0 ? '' : `at least ${least} ${unit}`;
  return least ? (least === most ? `${most} ${unit}` : `${least} to ${most} ${unit}`) : `at most ${most} ${unit}`;
}

function numbers(least: number | undefined, most: number | undefined): string {
  const low = least === undefined || least <= -Number.MAX_SAFE_INTEGER ? undefined : least;
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  if (low === undefined) return high === undefined ? '' : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

function asText(value: unknown): string {
  return JSON.stringify(value);
}
