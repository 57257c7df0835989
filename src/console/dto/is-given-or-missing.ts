import { ValidateIf } from 'class-validator';

/** May be left out; null is a value like any other, and refused where it is none. */
export function IsGivenOrMissing(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
