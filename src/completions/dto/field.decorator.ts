import { registerDecorator, type ValidationArguments } from 'class-validator';
import { type Fault, faultAt, faultError, missing } from './fault.js';
import { noteForeignValue } from './foreign-values.js';
import type { FieldRule, JsonObject } from './structure-checks.js';

type DtoClass = object['constructor'];
type FieldRules = Map<string, FieldRule>;

const rulesByClass = new WeakMap<DtoClass, FieldRules>();

/**
 * Gives a property of a flat DTO its rule. `validateSync` then throws the caller's error at the first fault.
 *
 * class-validator spends 0.3–0.5 µs on every decorated property of a class, also on those that an object lacks: more
 * than 12 µs for the fields of a request, of which most callers send five. So the first `@Field` of a class registers
 * one constraint for all of them, which looks at what is there and at what must be.
 */
export function Field(rule: FieldRule): PropertyDecorator {
  return (prototype, property) => {
    const name = String(property);
    const rules = rulesByClass.get(prototype.constructor) ?? registeredRules(prototype.constructor, name);
    rules.set(name, rule);
  };
}

/** The rules of a DTO's properties by their names. */
export function fieldRules(dto: DtoClass): ReadonlyMap<string, FieldRule> {
  return rulesByClass.get(dto) ?? new Map();
}

function registeredRules(target: DtoClass, propertyName: string): FieldRules {
  const rules: FieldRules = new Map();
  rulesByClass.set(target, rules);
  registerDecorator({
    name: 'fields',
    target,
    propertyName,
    validator: {
      validate: (_value: unknown, args?: ValidationArguments) => areValid(rules, args?.object as JsonObject),
    },
  });
  return rules;
}

/** Throws instead of returning false: class-validator can carry words out of a constraint, but not a code and a path. */
function areValid(rules: FieldRules, fields: JsonObject): true {
  for (const [name, rule] of rules) {
    if (rule.required && fields[name] === undefined) throw faultError(faultAt(name, missing(rule.check.expected)));
  }
  for (const name of Object.keys(fields)) {
    const fault = fieldFault(rules.get(name), fields[name]);
    if (fault?.isForeign) noteForeignValue(fields, faultAt(name, fault));
    else if (fault) throw faultError(faultAt(name, fault));
  }
  return true;
}

function fieldFault(rule: FieldRule | undefined, value: unknown): Fault | null {
  if (rule === undefined || value === undefined) return null;
  return value === null && rule.onNull !== 'refuse' ? null : rule.check.faultIn(value);
}
