import type { NewPerson } from './user-actions';

/** A person on a line of a pasted text or a CSV file. */
export interface PersonRow {
  /** In the text, from 1. */
  line: number;
  email: string;
  name: string;
  role: string;
  plan: string;
  /** What is wrong with the line; null if the gateway can be asked to create the person. */
  fault: string | null;
  /** As the gateway takes it. */
  person: NewPerson;
}

/** A plan that can be granted, or the one that everybody has. */
interface OfferedPlan {
  id: string;
  name: string;
  isDefault: boolean;
}

/** The gateway creates so many at once. */
export const MAX_PEOPLE = 200;

const FIELDS = ['email', 'name', 'role', 'plan'] as const;
type Field = (typeof FIELDS)[number];

const HEADINGS: Readonly<Record<string, Field>> = {
  email: 'email',
  'e-mail': 'email',
  mail: 'email',
  'email address': 'email',
  'e-mail address': 'email',
  name: 'name',
  'full name': 'name',
  role: 'role',
  plan: 'plan',
};

const ROLES: Readonly<Record<string, 'admin' | 'member'>> = {
  '': 'member',
  member: 'member',
  user: 'member',
  admin: 'admin',
  administrator: 'admin',
};

/**
 * The people of a text: one per line, with e-mail address, name, role and plan between commas, semicolons or tabs. A line
 * with headings first allows another order.
 */
export function readPeople(text: string, plans: readonly OfferedPlan[]): PersonRow[] {
  const lines = linesOf(text);
  const headings = lines[0]?.cells.map((cell) => HEADINGS[cell.toLowerCase()]) ?? [];
  const hasHeadings = headings.includes('email');
  const order = hasHeadings ? headings : FIELDS;
  const first = new Map<string, number>();
  return lines.slice(hasHeadings ? 1 : 0).map(({ line, cells }) => {
    const of = (field: Field) => cells[order.indexOf(field)] ?? '';
    const [email, name, role, plan] = [of('email'), of('name'), of('role'), of('plan')];
    const granted = plans.find(({ id, name }) => [id, name].some((one) => one.toLowerCase() === plan.toLowerCase()));
    const folded = email.toLowerCase();
    const before = first.get(folded);
    if (before === undefined) first.set(folded, line);
    const known = ROLES[role.toLowerCase()];
    const fault =
      email === ''
        ? 'The e-mail address is missing.'
        : before !== undefined
          ? `Line ${before} has the same e-mail address.`
          : known === undefined
            ? `The role must be member or admin, not ‘${role}’.`
            : plan !== '' && !granted
              ? `There is no plan ‘${plan}’.`
              : name.length > 100
                ? 'A name has at most 100 characters.'
                : null;
    const person = {
      email,
      ...(name !== '' && { name }),
      role: known ?? 'member',
      ...(granted && !granted.isDefault && { planId: granted.id }),
    };
    return { line, email, name, role, plan, fault, person };
  });
}

interface Line {
  line: number;
  cells: string[];
}

/** Lines with content; quotes as in CSV, where a cell can contain line breaks. */
function linesOf(text: string): Line[] {
  const clean = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const mark = markOf(clean);
  const cell = new RegExp(`(?: *"((?:[^"]|"")*)"[^${mark}\n]*|([^${mark}\n]*))(${mark}|\n|$)`, 'y');
  const lines: Line[] = [];
  let cells: string[] = [];
  let line = 1;
  let start = 1;
  for (let isLast = false; !isLast; ) {
    const [all = '', quoted, plain = '', end = ''] = cell.exec(clean) ?? [];
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += all.split('\n').length - 1;
    isLast = end === '';
    if (end === mark) continue;
    if (cells.some((one) => one !== '')) lines.push({ line: start, cells });
    cells = [];
    start = line;
  }
  return lines;
}

/** What separates the cells, as the first line says: in what spreadsheets copy, tabs or semicolons. */
function markOf(text: string): string {
  const [first = ''] = text.split('\n');
  return ['\t', ';'].find((mark) => first.includes(mark)) ?? ',';
}
