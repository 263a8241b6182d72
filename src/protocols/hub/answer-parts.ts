import type { BeginOf, NeutralAnswer, StreamPart } from './neutral-answer.ts'
import type { AnswerBlock } from './neutral-request.ts'

/**
 * A whole answer as the parts of a stream. `piecesOf` cuts a text into what each delta holds, none of it empty. The last
 * block of an answer that reached its limit stays open, so that its writer says that it was cut.
 */
export function* partsOfAnswer(
  { choices }: NeutralAnswer,
  piecesOf: (text: string) => Iterable<string>,
): Generator<StreamPart> {
  let next = 0
  for (const [choice, { blocks, stop }] of choices.entries()) {
    for (const [at, each] of blocks.entries()) {
      const block = next++
      yield { kind: 'begin', block, choice, of: beginOf(each) }
      for (const text of piecesOf(each.kind === 'tool_call' ? each.input : each.text)) {
        yield { kind: 'delta', block, text }
      }
      if (each.kind === 'reasoning' && each.opaque !== null) yield { kind: 'opaque', block, opaque: each.opaque }
      const isCut = stop.reason === 'length' && at === blocks.length - 1
      if (!isCut) yield { kind: 'end', block }
    }
    yield { kind: 'stop', choice, stop }
  }
}

function beginOf(block: AnswerBlock): BeginOf {
  if (block.kind !== 'tool_call') return { kind: block.kind }
  const { kind, id, name, isCustom } = block
  return { kind, id, name, isCustom }
}
