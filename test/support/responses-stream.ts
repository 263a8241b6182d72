import type { AnswerBlock } from '../../src/protocols/hub/neutral-request.ts'
import type { StreamPart } from '../../src/protocols/hub/neutral-answer.ts'
import type { ClientCall } from '../../src/protocols/hub/spoke.ts'
import { RequestSettings } from '../../src/protocols/hub/request-settings.ts'
import { readServerEvent } from '../../src/protocols/reading/server-event.ts'
import { ResponsesPartReader } from '../../src/protocols/spokes/openai-responses/part-reader.ts'

/** The data of the events in a stream. */
export function dataOf(stream: string): readonly Readonly<Record<string, unknown>>[] {
  return stream
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(readServerEvent(Buffer.from(event)).data.toString()) as Record<string, unknown>)
}

export function partsIn(stream: string): readonly StreamPart[] {
  const reader = new ResponsesPartReader()
  const events = stream.split('\n\n').filter((event) => event !== '')
  return [...events.flatMap((event) => reader.read(readServerEvent(Buffer.from(event)))), ...reader.end()]
}

/** The blocks that parts come to. Throws where parts don't follow the rules of `StreamPart`. */
export function blocksIn(parts: readonly StreamPart[]): readonly AnswerBlock[] {
  const blocks = new Map<number, { block: AnswerBlock; isOpen: boolean }>()
  for (const part of parts) {
    if (part.kind === 'stop') continue
    if (part.kind === 'begin') {
      if (part.block !== blocks.size) throw new Error(`block ${part.block} is not the next`)
      blocks.set(part.block, { block: emptyBlock(part), isOpen: true })
      continue
    }
    const known = blocks.get(part.block)
    if (known?.isOpen !== true) throw new Error(`block ${part.block} is not open`)
    if (part.kind === 'end') known.isOpen = false
    else known.block = grown(known.block, part)
  }
  if ([...blocks.values()].some(({ isOpen }) => isOpen)) throw new Error('a block was not closed')
  return [...blocks.values()].map(({ block }) => block)
}

export function clientCall(more: Partial<ClientCall> = {}): ClientCall {
  const request = { turns: [], tools: [], toolChoice: null, settings: new RequestSettings() }
  const about = { requestId: 'req_abc', model: 'm', nowMs: 1_790_000_000_123, includeUsage: true }
  return { ...about, asked: { model: 'm', input: 'Hi' }, request, ...more }
}

function emptyBlock({ of }: StreamPart & { kind: 'begin' }): AnswerBlock {
  if (of.kind === 'tool_call') return { kind: 'tool_call', id: of.id, name: of.name, input: '', isCustom: of.isCustom }
  return of.kind === 'reasoning' ? { kind: of.kind, text: '', opaque: null } : { kind: of.kind, text: '' }
}

function grown(block: AnswerBlock, part: StreamPart): AnswerBlock {
  if (part.kind === 'delta' && part.text === '') throw new Error('an empty delta')
  if (part.kind === 'delta') {
    return block.kind === 'tool_call'
      ? { ...block, input: block.input + part.text }
      : { ...block, text: block.text + part.text }
  }
  if (part.kind === 'opaque' && block.kind === 'reasoning') return { ...block, opaque: part.opaque }
  if (part.kind === 'logprobs' && block.kind === 'text') {
    return { ...block, logprobs: [...(block.logprobs ?? []), ...part.logprobs] }
  }
  throw new Error(`${part.kind} in a block of ${block.kind}`)
}
