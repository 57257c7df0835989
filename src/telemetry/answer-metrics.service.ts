import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsService } from './metrics.service.js';
import { TalliedCounter, type Tally } from './tallies.js';

/** Limits the number of labels in case codes of upstreams are passed here. */
const MAX_SERIES = 300;
const OTHER = 'other';

@Injectable()
export class AnswerMetricsService {
  private readonly answers: TalliedCounter<'api' | 'status' | 'code'>;
  private readonly apis = new Map<string, Map<number, Map<string, Tally>>>();
  private lines = 0;

  constructor({ registry }: MetricsService) {
    this.answers = new TalliedCounter(
      registry,
      'gateway_answers_total',
      "Requests that ended, by the API, the status and the error's code: ok, client_closed, or that of the error sent.",
      ['api', 'status', 'code'],
    );
  }

  ended(api: string, status: number, code: string): void {
    const statuses = this.apis.get(api) ?? added(this.apis, api, new Map<number, Map<string, Tally>>());
    const codes = statuses.get(status) ?? added(statuses, status, new Map<string, Tally>());
    const known = codes.get(code) ?? (this.lines < MAX_SERIES ? null : codes.get(OTHER));
    (known ?? this.add(codes, api, status, known === null ? code : OTHER)).value++;
  }

  private add(codes: Map<string, Tally>, api: string, status: number, code: string): Tally {
    this.lines++;
    return added(codes, code, this.answers.child({ api, status: String(status), code }));
  }
}

function added<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value {
  map.set(key, value);
  return value;
}

@Injectable()
export class LimitMetricsService {
  private readonly refusals: Counter<'kind' | 'scope'>;

  constructor({ registry }: MetricsService) {
    this.refusals = new Counter({
      name: 'gateway_limit_refusals_total',
      help: 'Requests that a limit refused, by the kind of the limit and its scope.',
      labelNames: ['kind', 'scope'],
      registers: [registry],
    });
  }

  /** `kind`: a limit's name; `scope`: plan, user, key or project. */
  refused(kind: string, scope: string): void {
    this.refusals.inc({ kind, scope });
  }
}
