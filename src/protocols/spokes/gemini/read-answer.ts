import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer, NeutralChoice, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, TokenLogprob } from '../../hub/neutral-request.ts'
import { AnswerParts } from './answer-parts.ts'

/** See Spoke. A whole answer has the form of a stream's only chunk, and is read as one. */
export function readAnswer(body: JsonObject): NeutralAnswer {
  const reader = new AnswerParts()
  const parts = [...reader.read(body), ...reader.end()]
  const choices = new Map<number, StreamPart[]>()
  const choiceOfBlock = new Map<number, number>()
  for (const part of parts) {
    if (part.kind === 'begin') choiceOfBlock.set(part.block, part.choice)
    const choice = part.kind === 'begin' || part.kind === 'stop' ? part.choice : (choiceOfBlock.get(part.block) ?? 0)
    const own = choices.get(choice)
    if (own === undefined) choices.set(choice, [part])
    else own.push(part)
  }
  if (choices.size === 0) return { choices: [{ blocks: [], stop: { reason: 'end', sequence: null } }] }
  const inOrder = [...choices].sort(([one], [other]) => one - other)
  return { choices: inOrder.map(([, own]) => choiceOf(own)) }
}

function choiceOf(parts: readonly StreamPart[]): NeutralChoice {
  const blocks: AnswerBlock[] = []
  let stop: NeutralChoice['stop'] = { reason: 'end', sequence: null }
  for (const part of parts) {
    if (part.kind === 'begin') blocks.push(emptyBlock(part))
    else if (part.kind === 'stop') stop = part.stop
    else if (part.kind !== 'end') {
      // Blocks of one choice come one after the other, so that it is the latest.
      const block = blocks.pop()
      if (block !== undefined) blocks.push(grown(block, part))
    }
  }
  return { blocks, stop }
}

function emptyBlock({ of }: Extract<StreamPart, { kind: 'begin' }>): AnswerBlock {
  if (of.kind === 'tool_call') return { ...of, input: '' }
  return of.kind === 'reasoning' ? { kind: 'reasoning', text: '', opaque: null } : { kind: of.kind, text: '' }
}

type Growth = Extract<StreamPart, { kind: 'delta' | 'opaque' | 'logprobs' }>

function grown(block: AnswerBlock, part: Growth): AnswerBlock {
  if (part.kind === 'delta') {
    if (block.kind === 'tool_call') return { ...block, input: block.input + part.text }
    return { ...block, text: block.text + part.text }
  }
  if (part.kind === 'opaque') return block.kind === 'reasoning' ? { ...block, opaque: part.opaque } : block
  if (block.kind !== 'text') return block
  const logprobs: readonly TokenLogprob[] = [...(block.logprobs ?? []), ...part.logprobs]
  return { ...block, logprobs }
}
