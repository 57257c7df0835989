import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from './gateway.ts';
import { growthQuestions } from './growth-questions.ts';
import type { Callers } from './growth-seed.ts';
import type { People } from './growth-setting.ts';
import { quantile } from './quantiles.ts';
import { requestBody } from './requests.ts';

/** The results of two gateways on one database. */
export interface TrialFigures {
  minutes: number;
  /** The number of answers by status or error. */
  calls: Record<string, number>;
  callP50Ms: number;
  callP99Ms: number;
  reports: Record<string, number>;
  reportP50Ms: number;
  reportMaxMs: number;
}

const CALLERS = 4;
const CALL_PAUSE_MS = 40;
const REPORT_PAUSE_MS = 300;
const BODY = requestBody('json', 'openai');

/** Calls of many keys at alternating gateways, while one reader goes through all reports and lists. */
export async function runTrial(
  gateways: readonly Gateway[],
  callers: Callers,
  people: People,
  minutes: number,
): Promise<TrialFigures> {
  const until = performance.now() + minutes * 60_000;
  const calls = new Answers();
  const reports = new Answers();
  let number = 0;
  const next = () => gateways[number % gateways.length] as Gateway;
  const call = async () => {
    while (performance.now() < until) {
      const secret = callers.secrets[(number * 7919) % callers.secrets.length];
      const { port } = next();
      number++;
      await calls.take(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: BODY,
      });
      await sleep(CALL_PAUSE_MS);
    }
  };
  const read = async () => {
    while (performance.now() < until) {
      for (const { path, who } of growthQuestions(new Date())) {
        if (performance.now() > until) return;
        await reports.take(`http://127.0.0.1:${next().port}${path}`, { headers: { cookie: people[who].cookie } });
        await sleep(REPORT_PAUSE_MS);
      }
    }
  };
  await Promise.all([...Array.from({ length: CALLERS }, call), read()]);
  return {
    minutes,
    calls: calls.byStatus,
    callP50Ms: quantile(calls.took, 0.5),
    callP99Ms: quantile(calls.took, 0.99),
    reports: reports.byStatus,
    reportP50Ms: quantile(reports.took, 0.5),
    reportMaxMs: quantile(reports.took, 1),
  };
}

class Answers {
  readonly byStatus: Record<string, number> = {};
  readonly took: number[] = [];

  async take(url: string, init: RequestInit): Promise<void> {
    const from = performance.now();
    const status = await fetch(url, init).then(
      async (response) => {
        await response.text();
        return String(response.status);
      },
      (error: Error) => error.message,
    );
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    this.took.push(performance.now() - from);
  }
}
