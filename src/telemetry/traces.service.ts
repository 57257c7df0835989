import { Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { CallTrace, CallTracer, TracedCall, TracedRefusal } from './trace.types.js';

/** Starts the traces of calls when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise OpenTelemetry is not loaded. */
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

  begin(call: TracedCall): CallTrace | null {
    return this.tracer === null ? null : this.tracer.begin(call);
  }

  /** Refused requests get a span only if their client sent a trace. */
  refused(call: Omit<TracedRefusal, 'traceparent'>, traceparent: string | undefined): void {
    if (this.tracer !== null && traceparent !== undefined) this.tracer.refused({ ...call, traceparent });
  }

  /** Runs after the last rows are closed, which ends the last traces. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracer?.stop().catch((error) => this.logger.warn(error));
  }
}

@Module({ providers: [TracesService], exports: [TracesService] })
export class TracesModule {}
