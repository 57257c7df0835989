import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { GATEWAY_VERSION } from '../config/environment.js';
import type { TraceSettings } from '../config/environment.settings.js';
import type {
  AttemptTrace,
  CallTrace,
  CallTracer,
  TracedAttempt,
  TracedCall,
  TracedEnd,
  TracedRefusal,
} from './trace.types.js';

const EXPORT_LIMIT_MS = 5000;
/** Per dollar. */
const NANODOLLARS = 1e9;

const propagator = new W3CTraceContextPropagator();

/** Traces calls with OpenTelemetry's SDK and sends them by OTLP. Only loaded when tracing is configured. */
export function openTelemetryTracer({ url, headers, serviceName, ratio }: TraceSettings): CallTracer {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_LIMIT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': GATEWAY_VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_LIMIT_MS })],
  });
  const tracer = provider.getTracer('chat-completion-gateway', GATEWAY_VERSION);
  return {
    begin: (call) => beginCall(tracer, call),
    refused: (call) => recordRefusal(tracer, call),
    stop: () => provider.shutdown(),
  };
}

function beginCall(tracer: Tracer, call: TracedCall): CallTrace {
  const operation = operationOf(call.api);
  const attributes = {
    [SPAN.operation]: operation,
    [SPAN.requestModel]: call.model.id,
    [SPAN.stream]: call.request.stream === true,
    [SPAN.responseId]: call.id,
    [SPAN.requestId]: call.requestId,
  };
  const span = tracer.startSpan(`${operation} ${call.model.id}`, { kind: SpanKind.SERVER, attributes }, parentOf(call));
  const context = trace.setSpan(ROOT_CONTEXT, span);
  return {
    attempt: (attempt) => beginAttempt(tracer, context, operation, attempt),
    end: (end) => {
      span.setAttributes(toAttributes(end));
      record(span, end.tokens, end.status === 'failed' ? end.errorCode : null);
      span.end();
    },
  };
}

function toAttributes(end: TracedEnd): Attributes {
  return {
    [SPAN.status]: end.status,
    [SPAN.cost]: Number(end.costNanodollars) / NANODOLLARS,
    ...(end.servedModel !== null && { [SPAN.responseModel]: end.servedModel }),
    ...(end.upstream !== null && { [SPAN.provider]: end.upstream }),
    ...(end.httpStatus !== null && { [SPAN.httpStatus]: end.httpStatus }),
    ...(end.firstTokenMs !== null && { [SPAN.firstToken]: end.firstTokenMs }),
    ...(end.finishReason !== null && { [SPAN.finishReasons]: [end.finishReason] }),
  };
}

function recordRefusal(tracer: Tracer, call: TracedRefusal): void {
  const { model, api, requestId, httpStatus, errorCode, ms } = call;
  const operation = operationOf(api);
  const now = Date.now();
  const attributes = {
    [SPAN.operation]: operation,
    [SPAN.requestId]: requestId,
    [SPAN.httpStatus]: httpStatus,
    ...(model !== null && { [SPAN.requestModel]: model }),
  };
  const span = tracer.startSpan(
    model === null ? operation : `${operation} ${model}`,
    { kind: SpanKind.SERVER, attributes, startTime: now - ms },
    parentOf(call),
  );
  record(span, null, errorCode);
  span.end(now);
}

function beginAttempt(
  tracer: Tracer,
  call: Context,
  operation: string,
  { upstream, upstreamModel, baseUrl }: TracedAttempt,
): AttemptTrace {
  const { hostname, port, protocol } = new URL(baseUrl);
  const attributes = {
    [SPAN.operation]: operation,
    [SPAN.provider]: upstream,
    [SPAN.requestModel]: upstreamModel,
    [SPAN.serverAddress]: hostname,
    [SPAN.serverPort]: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  const span = tracer.startSpan(`${operation} ${upstreamModel}`, { kind: SpanKind.CLIENT, attributes }, call);
  return {
    traceparent: traceparentOf(trace.setSpan(call, span)),
    end: ({ outcome, httpStatus, tokens }) => {
      if (httpStatus !== null) span.setAttribute(SPAN.httpStatus, httpStatus);
      record(span, tokens, outcome === 'ok' || outcome === 'aborted' ? null : outcome);
      span.end();
    },
  };
}

function record(span: Span, tokens: { input: number; output: number } | null, error: string | null): void {
  if (tokens) span.setAttributes({ [SPAN.inputTokens]: tokens.input, [SPAN.outputTokens]: tokens.output });
  if (error === null) return;
  span.setAttribute(SPAN.errorType, error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function parentOf({ traceparent }: Pick<TracedCall, 'traceparent'>): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

function traceparentOf(context: Context): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier.traceparent;
}

/** OpenTelemetry's attribute names from its conventions for generative AI, which are not stable yet. */
const SPAN = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  httpStatus: 'http.response.status_code',
  errorType: 'error.type',
  /** The gateway's own. */
  requestId: 'gateway.request_id',
  status: 'gateway.call.status',
  /** From admission to the first piece of the answer. */
  firstToken: 'gateway.call.first_token_ms',
  cost: 'gateway.call.cost_usd',
} as const;

/** `gen_ai.operation.name` of a call, by the API that the client used. */
function operationOf(api: string): string {
  if (api === 'embeddings') return 'embeddings';
  return api === 'completions' ? 'text_completion' : 'chat';
}
