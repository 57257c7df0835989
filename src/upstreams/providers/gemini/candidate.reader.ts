import type { ChatDelta, FinishReason, ToolCallDelta } from '../../contract/chat.types.js';
import { StreamedChoice } from '../../contract/chunk.reader.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { annotationsOf } from './citations.js';
import { toFinishReason } from './finish-reason.js';
import { signedContent } from './thoughts.js';
import { FunctionCalls } from './tool-calls.js';

/**
 * Reads one candidate, whole or streamed. Calls of the API's own tools (`toolCall`, `executableCode`) and their results
 * are not part of the answer.
 */
export class CandidateReader extends StreamedChoice {
  private readonly calls: FunctionCalls;
  private text = '';
  private signature: string | undefined;
  private grounding: JsonObject | undefined;
  private reason: unknown;

  constructor(call: ProviderCall, index: number) {
    super(index);
    this.calls = new FunctionCalls(call, index);
  }

  /** Null until the candidate has ended. */
  get finishReason(): FinishReason | null {
    return toFinishReason(this.reason, this.calls.started);
  }

  read({ content, finishReason, groundingMetadata }: JsonObject): ChatDelta {
    if (finishReason !== undefined) this.reason = finishReason;
    if (isObject(groundingMetadata) && groundingMetadata.groundingSupports) this.grounding = groundingMetadata;
    const delta: ChatDelta = {};
    if (!isObject(content) || !Array.isArray(content.parts)) return delta;
    for (const part of content.parts) if (isObject(part)) this.readPart(part, delta);
    return delta;
  }

  end(): ChatDelta {
    const delta: ChatDelta = {};
    addToolCalls(delta, this.calls.completion());
    const annotations = this.grounding ? annotationsOf(this.grounding, this.text) : [];
    if (annotations.length > 0) delta.annotations = annotations;
    return this.signature === undefined ? delta : Object.assign(delta, signedContent(this.signature));
  }

  private readPart(part: JsonObject, delta: ChatDelta): void {
    const signature = textOf(part.thoughtSignature);
    if (isObject(part.functionCall)) {
      addToolCalls(delta, this.calls.read(part.functionCall, signature));
    } else if (typeof part.text === 'string') {
      if (part.thought === true) addText(delta, 'reasoning_content', part.text);
      else {
        this.signature = signature ?? this.signature;
        this.text += part.text;
        addText(delta, 'content', part.text);
      }
    }
  }
}

function addText(delta: ChatDelta, field: 'content' | 'reasoning_content', text: string): void {
  if (text !== '') delta[field] = (delta[field] ?? '') + text;
}

function addToolCalls(delta: ChatDelta, calls: ToolCallDelta[]): void {
  if (calls.length > 0) delta.tool_calls = [...(delta.tool_calls ?? []), ...calls];
}
