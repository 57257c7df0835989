import { ValidateIf } from 'class-validator';

/** Can be left out; null is a value like any other, and refused unless allowed. */
export function IsGivenOrMissing(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
