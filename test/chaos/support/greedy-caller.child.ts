import { connect } from 'node:net';

/**
 * The process of a caller that sends a new call on each of its connections as soon as the previous one is answered. Its
 * arguments are the port, the key and the number of connections. On a message it reports the number of its answers and
 * ends.
 */
const [port, key, connections] = process.argv.slice(2);
const body = JSON.stringify({
  model: 'exact',
  messages: [{ role: 'user', content: JSON.stringify({ tokens: 1, ms: 5 }) }],
});
const request =
  `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
let answered = 0;
let refused = 0;

function open(): void {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request)).setNoDelay();
  let begun = '';
  socket.on('data', (data: Buffer) => {
    begun += data.toString('latin1');
    const end = begun.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(begun)?.[1]);
    if (end < 0 || begun.length < end + 4 + length) return;
    if (begun.startsWith('HTTP/1.1 200')) answered++;
    else refused++;
    begun = '';
    socket.write(request);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, 100));
}

for (let index = 0; index < Number(connections); index++) open();
process.on('message', () => process.send?.({ answered, refused }, () => process.exit(0)));
