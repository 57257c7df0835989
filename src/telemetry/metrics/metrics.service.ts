import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Everything that this process tells of itself in Prometheus' format. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  /** With prom-client's own of the process, the heap and the event loop. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  async answer(response: ServerResponse): Promise<void> {
    const text = await this.registry.metrics();
    response.setHeader('content-type', this.registry.contentType);
    response.setHeader('cache-control', 'no-store');
    response.end(text);
  }

  /** A number that goes up and down and is kept elsewhere: `read` is asked at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
