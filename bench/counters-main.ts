/**
 * `npm run bench -- counters`: what a request and a chunk cost apart from time; exits with 1 if a limit is exceeded.
 */
import { type Counted, count } from './counters.ts';
import { prepare } from './setting.ts';

const setting = await prepare({ quick: true, json: false, profile: false, pin: true, paceMs: 10 });
try {
  const counted = await count(setting);
  console.log(counted.flatMap(toLines).join('\n'));
  if (counted.some(isOver)) process.exitCode = 1;
} finally {
  await setting.stop();
}

type CostName = keyof Counted['cost'];

function toLines({ title, unit, cost, limits }: Counted): string[] {
  const names = Object.keys(limits) as CostName[];
  const line = (name: CostName): string => {
    const digits = name === 'allocatedBytes' ? 0 : 2;
    const verdict = cost[name] > limits[name] ? '  OVER' : '';
    return `  ${name.padEnd(16)}${cost[name].toFixed(digits).padStart(9)}  ≤ ${limits[name]}${verdict}`;
  };
  return [`${title}, per ${unit}`, ...names.map(line)];
}

function isOver({ cost, limits }: Counted): boolean {
  return (Object.keys(limits) as CostName[]).some((name) => cost[name] > limits[name]);
}
