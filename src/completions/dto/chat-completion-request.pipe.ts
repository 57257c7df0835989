import { Injectable, type PipeTransform } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import { isDeniedField } from './denied-fields.js';
import { fieldRules } from './field.decorator.js';
import { foreignValueIn, noteForeignValue } from './foreign-values.js';
import { isJsonObject, type JsonObject } from './structure-checks.js';

const FIELD_RULES = fieldRules(ChatCompletionRequestDto);

const VALIDATOR_OPTIONS = { forbidUnknownValues: false, validationError: { target: false, value: false } };

/**
 * Parsed JSON body → valid request, or a `GatewayError` 400 that names the field at fault.
 *
 * The request has the body's own top-level fields, unknown ones included, and shares their values with the body. Left
 * out are denied fields, nulls where the format has no null, and `stream_options` of a request that does not stream
 * (some clients always send it, some upstreams then refuse the request).
 */
@Injectable()
export class ChatCompletionRequestPipe implements PipeTransform<unknown, ChatCompletionRequest> {
  transform(body: unknown): ChatCompletionRequest {
    if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
    const dto = knownFields(body);
    validateSync(dto, VALIDATOR_OPTIONS);
    refuseConflicts(dto);
    const request = forwardedFields(body);
    const foreign = foreignValueIn(dto);
    if (foreign) noteForeignValue(request, foreign);
    return request as ChatCompletionRequest;
  }
}

function knownFields(body: JsonObject): ChatCompletionRequestDto {
  const dto = new ChatCompletionRequestDto();
  for (const name of Object.keys(body)) {
    if (FIELD_RULES.has(name)) dto[name as keyof ChatCompletionRequestDto] = body[name];
  }
  return dto;
}

function refuseConflicts({ logprobs, top_logprobs }: ChatCompletionRequestDto): void {
  if (Number(top_logprobs ?? 0) > 0 && logprobs !== true) {
    const message = "Invalid value for 'top_logprobs': it is only allowed when 'logprobs' is true.";
    throw invalidRequest('invalid_value', 'top_logprobs', message);
  }
}

function forwardedFields(body: JsonObject): JsonObject {
  const request: JsonObject = {};
  const streams = body.stream === true;
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value !== undefined && isForwarded(name, value) && (streams || name !== 'stream_options'))
      request[name] = value;
  }
  if (typeof request.seed === 'number') request.seed = seedOf(request.seed);
  return request;
}

/** No API takes a seed that a double does not hold; the same one always becomes the same. */
function seedOf(seed: number): number {
  return Number.isSafeInteger(seed) ? seed : seed % 2 ** 53;
}

function isForwarded(name: string, value: unknown): boolean {
  if (name === 'stop' && Array.isArray(value) && value.length === 0) return false;
  const rule = FIELD_RULES.get(name);
  return rule === undefined ? !isDeniedField(name) : value !== null || rule.onNull === 'keep';
}
