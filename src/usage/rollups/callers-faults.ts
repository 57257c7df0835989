/** Error codes of mistakes of the caller, which do not count as errors of the upstream. */
const CALLERS_FAULTS = [
  'content_filter',
  'context_length_exceeded',
  'invalid_json',
  'invalid_type',
  'invalid_value',
  'missing_required_parameter',
  'request_too_large',
  'unsupported_value',
];

export const SQL_CALLERS_FAULTS = CALLERS_FAULTS.map((code) => `'${code}'`).join(', ');
