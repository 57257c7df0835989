import { ValidateIf } from 'class-validator';

/** The field can be missing. Null counts as a value and is refused unless another rule allows it. */
export function IsGivenOrMissing(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
