import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { CallTrace, CallTracer, TracedCall, TracedRefusal } from './trace.types.js';

/** Begins the traces of calls, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where they go; else nothing of it is loaded. */
@Injectable()
export class TracesService implements OnModuleInit {
  private readonly logger = new Logger('Traces');
  private tracer: CallTracer | null = null;

  constructor(@InjectSettings() private readonly settings: Settings) {}

  async onModuleInit(): Promise<void> {
    const { traces } = this.settings;
    if (traces === null) return;
    const { openTelemetryTracer } = await import('./open-telemetry.tracer.js');
    this.tracer = openTelemetryTracer(traces);
  }

  /** Null: calls are not traced. */
  begin(call: TracedCall): CallTrace | null {
    return this.tracer === null ? null : this.tracer.begin(call);
  }

  /** A call that was not accepted: it has a span where its caller traces it. */
  refused(call: Omit<TracedRefusal, 'traceparent'>, traceparent: string | undefined): void {
    if (this.tracer !== null && traceparent !== undefined) this.tracer.refused({ ...call, traceparent });
  }

  /** When the last rows are closed, and with them the last traces. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracer?.stop().catch((error) => this.logger.warn(error));
  }
}
