import type { FailureReading } from '../openai/failure.js';
import type { ResponsesSurface } from './responses.surface.js';

/** Names of this API's fields and those of chat completions; a place in the input has no counterpart. */
const CALLERS_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^input\b.*$/, 'messages'],
  [/^reasoning\.effort\b/, 'reasoning_effort'],
  [/^text\.format\b/, 'response_format'],
  [/^text\.verbosity\b/, 'verbosity'],
];

/** Errors have the form of chat completions, and name the fields by this API's names. */
export function failureReading(surface: ResponsesSurface): FailureReading {
  return {
    outputLimit: 'max_output_tokens',
    refineFailure(failure, facts) {
      const named = { ...failure, param: callersField(failure.param) };
      return surface.refineFailure?.(named, facts) ?? named;
    },
  };
}

function callersField(param: string | null | undefined): string | null {
  if (param == null) return null;
  const [theirs, ours] = CALLERS_FIELDS.find(([pattern]) => pattern.test(param)) ?? [];
  return theirs && ours ? param.replace(theirs, ours) : param;
}
