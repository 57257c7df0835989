/** Asks for JSON in words, of an API that has no JSON mode without a schema; its models keep to this. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';
