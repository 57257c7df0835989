/**
 * Codes of errors that are the caller's own doing: a call, or an attempt at an upstream, that ended with one of them is
 * no error of the upstream's.
 */
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

/** The codes as a list of SQL. */
export const SQL_CALLERS_FAULTS = CALLERS_FAULTS.map((code) => `'${code}'`).join(', ');
