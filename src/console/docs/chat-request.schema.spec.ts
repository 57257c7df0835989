import { describe, expect, it } from '@jest/globals';
import { CHAT_REQUEST_FIELDS } from '../../completions/dto/chat-completion-request.fields.js';
import { chatRequestSchema } from './chat-request.schema.js';
import type { Schema } from './document.types.js';

function fieldsOf(schema: Schema): string[] {
  return 'properties' in schema ? Object.keys(schema.properties ?? {}).sort() : [];
}

describe('the documented request', () => {
  it('has every field that the gateway checks, and no other', () => {
    expect(fieldsOf(chatRequestSchema)).toEqual([...CHAT_REQUEST_FIELDS.keys()].sort());
  });
});
