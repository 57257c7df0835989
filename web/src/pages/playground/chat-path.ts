/** The path that the playground calls, like every client. */
export const CHAT_PATH = '/v1/chat/completions';
