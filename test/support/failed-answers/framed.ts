/** Streams in the binary frames of Amazon Bedrock that fail by their frames, whatever their events say. */
import { exceptionFrame, frame } from '../../../tools/fake-upstream/clouds/bedrock-frames.ts'
import { type FramedWire, framesOf } from '../aws-frames.ts'
import { CONVERSE_BEGUN, CONVERSE_END } from './converse.ts'
import type { TriedAnswers, UpstreamAnswer } from './failed-answer.ts'
import { MESSAGES_BEGUN, MESSAGES_END } from './messages.ts'

type Piece = readonly Buffer[]

const WIRES: readonly (readonly [wire: FramedWire, begun: string, end: string])[] = [
  ['bedrock-converse', CONVERSE_BEGUN, CONVERSE_END],
  ['anthropic-messages', MESSAGES_BEGUN, MESSAGES_END],
]

/** The frames with one byte of the first other than it was sent. */
function damaged(frames: Piece, at: (length: number) => number): Piece {
  const [first = Buffer.alloc(0), ...rest] = frames
  const copy = Buffer.from(first)
  const place = at(copy.length)
  copy.writeUInt8(copy.readUInt8(place) ^ 1, place)
  return [copy, ...rest]
}

const ERROR = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Broken.' }
const PLAIN_ERROR = Buffer.from('data: {"error":{"message":"the guard refused"}}\n\n')

/** What stands in the place of the frames that the stream would end with. */
const FLAWS: readonly (readonly [name: string, of: (end: Piece) => Piece, from: string])[] = [
  ['a payload that is damaged', (end) => damaged(end, (length) => length - 8), 'ankit373/hydra#880'],
  ['a checksum that is damaged', (end) => damaged(end, (length) => length - 1), 'wso2/gateway-controllers#285'],
  ['a length that is damaged', (end) => damaged(end, () => 3), 'wso2/gateway-controllers#285'],
  ['headers that are damaged', (end) => damaged(end, () => 14), 'ankit373/hydra#880'],
  ['a frame cut in its middle', ([first = PLAIN_ERROR]) => [first.subarray(0, 40)], 'BerriAI/litellm#32159'],
  ['a frame cut within its prelude', ([first = PLAIN_ERROR]) => [first.subarray(0, 7)], 'BerriAI/litellm#32159'],
  ['an event without a frame', (end) => [PLAIN_ERROR, ...end], 'maximhq/bifrost#4545'],
  ['a frame for an error', () => [frame(ERROR, {})], 'agentjido/req_llm#1033'],
  [
    'an exception, and its end behind it',
    (end) => [exceptionFrame('throttlingException', 'Slow down.'), ...end],
    'ankit373/hydra#880',
  ],
  ['an exception of no name', (end) => [frame({ ':message-type': 'exception' }, {}), ...end], 'aaif-goose/goose#9579'],
]

export const framedAnswers: TriedAnswers = {
  failed: WIRES.flatMap(([wire, begun, end]) =>
    FLAWS.map(([name, of, from]): UpstreamAnswer => {
      const frames = [...framesOf(wire, begun), ...of(framesOf(wire, end))]
      return { name, wire, isStream: true, bytes: begun, frames, from }
    }),
  ),
  failedWhereTranslated: [],
  good: WIRES.map(([wire, begun, end]) => {
    const bytes = begun + end
    return {
      name: 'a frame in many pieces',
      wire,
      isStream: true,
      bytes,
      frames: inPieces(framesOf(wire, bytes)),
      from: 'ankit373/hydra#880',
    }
  }),
}

function inPieces(frames: Piece): Piece {
  const whole = Buffer.concat(frames)
  return Array.from({ length: Math.ceil(whole.length / 11) }, (_, at) => whole.subarray(at * 11, at * 11 + 11))
}
