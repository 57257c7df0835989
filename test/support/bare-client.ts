import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens connections that send nothing; their errors are ignored. */
export async function connections(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.on('error', () => undefined);
  return sockets;
}

/** A chat request as HTTP text. */
export function chatRequest(key: string, body: object): { head: string; body: string } {
  const text = JSON.stringify(body);
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: gateway',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body: text };
}

/** Sends bytes one by one, until all are sent or the connection is closed. */
export function dribble(socket: Socket, text: string, everyMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(text.charAt(sent++));
    if (sent === text.length) clearInterval(timer);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}
