import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CallsService } from '../../completions/calls.service.js';
import type { CallFormat, ClientCall, NativeRequest } from '../../completions/formats/call-format.js';
import { TokenCountsService } from '../../completions/token-counts.service.js';
import type { CallController } from '../../http/entrance/entrance.js';
import { toAnthropicError } from '../../http/error-format.js';
import { parseExactly } from '../../json/exact-json.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import { accountFileOf, nativeHeaders, toChargedRequest, toNativeBody } from './native-request.js';
import { MessagesReply } from './reply/messages.reply.js';
import type { MessagesRequest } from './request/messages.types.js';
import { toCountedRequest, toMessagesRequest } from './request/messages-request.js';
import { canDoWithoutSearch, pathsOfWebSearch, withoutWebSearch } from './request/tool.checks.js';
import { clientPath, optionalEffort, shownThinking, toChatRequest } from './translation/chat-request.js';
import { clientNames } from './translation/chat-tools.js';
import { Losses } from './translation/content-parts.js';

/** Anthropic's Messages API. */
export const messagesFormat: CallFormat = {
  api: 'messages',
  keepsBytes: true,
  // Tool inputs are JSON values here, and their large integers must keep all digits when they are translated.
  parse: parseExactly,

  read(body, request) {
    const headers = nativeHeaders(request);
    return toClientCall(toMessagesRequest(body), headers);
  },
};

/** The format of `count_tokens`. */
const countedFormat: CallFormat = {
  ...messagesFormat,
  read: (body, request) => toClientCall(toCountedRequest(body), nativeHeaders(request)),
};

/** `leftOut`: paths that were already left out of the request. */
function toClientCall(
  request: MessagesRequest,
  headers: NativeBody['headers'],
  leftOut: readonly string[] = [],
): ClientCall {
  const losses = new Losses();
  const chat = toChatRequest(request, losses);
  const answer = { thinking: shownThinking(request), names: clientNames(request) };
  const native: NativeRequest = {
    body: toNativeBody(request, headers),
    untranslated: [...losses.untranslated],
    untranslatable: losses.untranslatable,
    leftOut,
    accountFile: accountFileOf(request),
    optional: optionalEffort(request),
    capsOutput: true,
  };
  return {
    request: chat,
    charged: toChargedRequest(chat, request, native.body),
    native,
    ...(canDoWithoutSearch(request) && {
      withoutWebSearch: () => toClientCall(withoutWebSearch(request), headers, pathsOfWebSearch(request)),
    }),
    pathOf: (path) => clientPath(path, request),
    reply: (call) => new MessagesReply(call, answer),
  };
}

/** `POST /v1/messages/count_tokens`. */
@Controller('v1/messages/count_tokens')
export class CountTokensController implements CallController {
  readonly kind = 'call';
  readonly name = 'messages.count_tokens';
  readonly pattern = /^\/v1\/messages\/count_tokens\/?$/i;
  readonly toErrorReply = toAnthropicError;
  readonly requestIdHeader = 'request-id';

  constructor(
    private readonly calls: CallsService,
    private readonly counts: TokenCountsService,
  ) {}

  @Post()
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { tokens, headers } = await this.counts.count(request, countedFormat);
    const body = JSON.stringify({ input_tokens: tokens });
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }

  ended(request: Request): void {
    this.calls.ended(request);
  }
}
