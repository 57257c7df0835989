import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';

/** Validates requests of the console's API with the DTO classes; unknown fields are refused by name. */
export function consoleValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false },
    exceptionFactory: toGatewayError,
  });
}

function toGatewayError(errors: ValidationError[]): GatewayError {
  const { path, message } = firstFault(errors, '');
  return invalidRequest('invalid_value', path || null, message);
}

function firstFault([error]: ValidationError[], parent: string): { path: string; message: string } {
  if (!error) return { path: parent, message: 'The request is not valid.' };
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : [parent, error.property].filter(Boolean).join('.');
  if (!error.constraints) return firstFault(error.children ?? [], path);
  return { path, message: messageOf(error, path) };
}

/**
 * Reports the constraint that is written first, the type's, before those that depend on it; decorators run in reverse
 * order.
 */
function messageOf({ constraints = {}, value }: ValidationError, path: string): string {
  if ('whitelistValidation' in constraints) return `${path} is not a known field: leave it out.`;
  if (value === undefined) return `${path} is required.`;
  return `${Object.values(constraints).at(-1)}.`;
}
