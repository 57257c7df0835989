import { chunkOf, completion, refusal, stream } from '../support/chat-answers.js';
import type { Random } from '../support/random.js';
import type { ReceivedRequest } from '../support/received-request.js';
import { bytes, chunk, hang, head, pause, reset, type Script, type Step, sse } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { LONG_ANSWER } from './mixed-clients.js';

const PIECES = ['Once ', 'upon ', 'a time ', 'there was ', 'a queue ', 'that ', 'drained ', 'in the end', '.'];
const PACE_MS = 150;
const SLOW_PACE_MS = 500;
const LONG_EVENT = chunkOf({ content: 'x'.repeat(64 * 1024) });

type Answer = (streamed: boolean) => Script;

const ANSWERS: readonly Answer[] = [
  ...Array<Answer>(16).fill((streamed) => (streamed ? paced(PACE_MS) : [pause(PACE_MS), completion()])),
  (streamed) => (streamed ? paced(SLOW_PACE_MS) : [pause(4 * SLOW_PACE_MS), completion()]),
  () => reset(),
  () => refusal(500),
  () => refusal(429, 'Slow down.', { 'retry-after': '1' }),
  () => hang(),
  // After the start of the answer: an aborted connection, silence, and invalid data.
  (streamed) => (streamed ? stream(['Once ', pause(PACE_MS), reset()]) : [begun, reset()]),
  (streamed) => (streamed ? stream(['Once ', hang()]) : [begun, hang()]),
  (streamed) => (streamed ? stream(['Once ', chunk('data: {"choices":[{\n\n')]) : bytes('HTTP/1.1 200 OK\r\n{')),
];

/** A server that fails in all known ways, but serves most requests. */
export async function startFaultyUpstream(random: Random): Promise<ScriptedUpstream> {
  const upstream = await ScriptedUpstream.start();
  return upstream.always((request) => answerTo(request, random));
}

function answerTo(request: ReceivedRequest, random: Random): Script {
  const { stream: streamed = false } = request.json() as { stream?: boolean };
  if (request.body.includes(LONG_ANSWER)) return sse([...Array<object>(32).fill(LONG_EVENT), chunkOf({}, 'stop')]);
  return random.pick(ANSWERS)(streamed);
}

const begun: Step = async (wire) => {
  await head(200, { 'content-type': 'application/json', 'content-length': '500' })(wire);
  await bytes('{"id":"chatcmpl-1","choices":[')(wire);
};

function paced(everyMs: number): Script {
  return stream(PIECES.flatMap((piece) => [piece, pause(everyMs)]));
}
