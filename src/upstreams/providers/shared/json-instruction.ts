/** For APIs whose JSON mode requires a schema; their models follow this instruction. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';
