import { createHash } from 'node:crypto';
import type { Model } from '../../../src/models/model.types.js';
import { Random } from '../../support/random.js';

const DAYS = 30;
const HOUR = 3_600_000;

type DemoModel = Pick<Model, 'id' | 'usdPerMTok'>;

/** The favourites, most used first. */
const FAVOURITES = ['gpt-6-luna', 'claude-sonnet-5.5', 'gemini-3.8-flash', 'mistral-small-4', 'gpt-6.1-terra'];
const UPSTREAMS: Record<string, string> = { gpt: 'openai', claude: 'anthropic', gemini: 'gemini', mistral: 'mistral' };

/** Rows of the ledger for a month: busy by day, quiet at night and at weekends; always the same. */
export function demoCalls(
  keys: { id: string; userId: string }[],
  models: readonly DemoModel[],
  now: Date,
  name = 'call',
): object[] {
  const numbers = new Random(20_261_101);
  const random = () => numbers.next();
  const known = FAVOURITES.map((id) => models.find((model) => model.id === id)).filter((model) => model !== undefined);
  const rows: object[] = [];
  for (let hour = DAYS * 24; hour > 0; hour--) {
    const from = now.getTime() - hour * HOUR;
    for (let i = callsIn(new Date(from), random); i > 0; i--) {
      const at = new Date(from + random() * HOUR);
      const model = pick(known, random);
      const key = pick(keys, random);
      rows.push(toRow({ at, model, key, serial: `${name} ${rows.length}`, random }));
    }
  }
  return rows;
}

interface DemoCall {
  at: Date;
  model: DemoModel;
  key: { id: string; userId: string };
  /** Different for each call. */
  serial: string;
  random: () => number;
}

function toRow({ at, model, key, serial, random }: DemoCall): object {
  const luck = random();
  const status = luck > 0.985 ? 'failed' : luck > 0.965 ? 'aborted' : 'settled';
  const input = Math.round(200 + random() ** 3 * 12_000);
  const output = status === 'failed' ? 0 : Math.round(40 + random() ** 2 * 1800);
  const cached = Math.round(random() > 0.6 ? input * random() * 0.8 : 0);
  const nanodollars = Math.round((input * model.usdPerMTok.input + output * model.usdPerMTok.output) * 1000);
  const firstToken = Math.round(180 + random() ** 2 * 1400);
  const total = firstToken + output * 9;
  const upstream = UPSTREAMS[model.id.split('-')[0] ?? ''] ?? 'openai';
  const outcome = status === 'failed' ? 'upstream_timeout' : 'ok';
  const attempt = {
    upstream,
    upstreamModel: model.id,
    startMs: 1,
    ms: total,
    outcome,
    status: outcome === 'ok' ? 200 : 504,
  };
  return {
    id: `chatcmpl-${demoId(serial).slice(0, 24)}`,
    started_at: at,
    instance_id: 1,
    request_id: `req_${demoId(`request of ${serial}`)}`,
    key_id: key.id,
    user_id: key.userId,
    plan_id: 'pro',
    model: model.id,
    upstream,
    upstream_model: model.id,
    simulated: false,
    stream: random() > 0.3,
    status,
    finish_reason: status === 'settled' ? 'stop' : null,
    error_code: status === 'failed' ? outcome : null,
    input_tokens: input,
    cached_tokens: cached,
    output_tokens: output,
    reasoning_tokens: random() > 0.7 ? Math.round(output / 3) : 0,
    token_source: 'reported',
    price_version: '1',
    reserved_nanodollars: 0,
    cost_nanodollars: status === 'failed' ? 0 : nanodollars,
    attempts: [attempt],
    first_token_ms: status === 'failed' ? null : firstToken,
    total_ms: total,
  };
}

/** 32 hex digits, the same for the same text. */
export function demoId(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function callsIn(hour: Date, random: () => number): number {
  const isWeekend = [0, 6].includes(hour.getUTCDay());
  const isDay = hour.getUTCHours() >= 7 && hour.getUTCHours() < 19;
  return Math.round((isDay ? 9 : 2) * (isWeekend ? 0.3 : 1) * (0.5 + random()));
}

/** Chooses the first ones much more often than the last. */
function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() ** 1.7 * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
