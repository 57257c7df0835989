/** Where the playground asks, like every client. */
export const CHAT_PATH = '/v1/chat/completions';
