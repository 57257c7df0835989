import type { Schema } from './document.types.js';

// The few words in which the hand-written schemas of this folder are said.

export function text(description?: string, more: Schema = {}): Schema {
  return { type: 'string', ...(description && { description }), ...more };
}

export function number(description: string, minimum?: number, maximum?: number): Schema {
  return { type: 'number', description, ...range(minimum, maximum) };
}

export function integer(description: string, minimum?: number, maximum?: number): Schema {
  return { type: 'integer', description, ...range(minimum, maximum) };
}

export function flag(description: string): Schema {
  return { type: 'boolean', description };
}

/** One of a few strings; a single one is a constant. */
export function oneOf(values: readonly string[], description?: string): Schema {
  return { type: 'string', enum: [...values], ...(description && { description }) };
}

export function list(items: Schema, description?: string, more: Schema = {}): Schema {
  return { type: 'array', items, ...(description && { description }), ...more };
}

/** The names in `required` must be there; others may be, and so may fields that are not listed. */
export function object(properties: Record<string, Schema>, required: readonly string[], description?: string): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    ...(description && { description }),
  };
}

export function either(schemas: readonly Schema[], description?: string): Schema {
  return { anyOf: [...schemas], ...(description && { description }) };
}

/** The same, or null. */
export function orNull(schema: Schema): Schema {
  if ('type' in schema && typeof schema.type === 'string') {
    const values = schema.enum ? { enum: [...schema.enum, null] } : {};
    return { ...schema, ...values, type: [schema.type, 'null'] };
  }
  return { anyOf: [schema, { type: 'null' }] };
}

function range(minimum?: number, maximum?: number): Schema {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}
