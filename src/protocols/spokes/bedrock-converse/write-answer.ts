import type { Fault } from '../../../core/faults.ts'
import { type TokenCounts, totalOutput } from '../../../core/tokens.ts'
import { callInput } from '../../hub/call-input.ts'
import type { BeginOf, NeutralAnswer, Stop, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature } from '../../hub/neutral-request.ts'
import { writeOpaque } from '../../hub/opaque-reasoning.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** See Spoke. This wire has one answer to a request, and neither an id nor a model in it. */
export function writeAnswer({ choices }: NeutralAnswer, _call: ClientCall, usage: TokenCounts): JsonObject {
  const { blocks, stop } = choices[0] ?? { blocks: [], stop: { reason: 'end', sequence: null } }
  const hasCalls = blocks.some(({ kind }) => kind === 'tool_call')
  return {
    output: { message: { role: 'assistant', content: blocks.flatMap(writeBlock) } },
    stopReason: stopReason(stop, hasCalls),
    usage: writtenUsage({ reported: usage, estimatedOutputTokens: 0 }),
    metrics: { latencyMs: 1 },
  }
}

function writeBlock(block: AnswerBlock): JsonObject[] {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ text: block.text }]
    case 'reasoning':
      if (block.text === '' && block.opaque === null) return []
      if (isRedacted(block.opaque)) return [{ reasoningContent: { redactedContent: block.opaque.data } }]
      return [{ reasoningContent: { reasoningText: { text: block.text, ...signatureField(block.opaque) } } }]
    case 'tool_call': {
      const input = callInput(block.input) ?? {}
      return [{ toolUse: { toolUseId: block.id, name: block.name, input } }]
    }
  }
}

function isRedacted(opaque: ProviderSignature | null): opaque is ProviderSignature {
  return opaque?.isRedacted === true && opaque.vendor === 'bedrock'
}

function signatureField(opaque: ProviderSignature | null): JsonObject {
  return opaque === null ? {} : { signature: writeOpaque(opaque, 'bedrock') }
}

function stopReason({ reason }: Stop, hasCalls: boolean): string {
  switch (reason) {
    case 'end':
    case 'tool_calls':
    case 'paused':
      return hasCalls ? 'tool_use' : 'end_turn'
    case 'stop_sequence':
      return 'stop_sequence'
    case 'length':
      return 'max_tokens'
    case 'filtered':
      return 'content_filtered'
  }
}

/** Every count of it is required; what was not reported is 0, but for the output. */
function writtenUsage({ reported, estimatedOutputTokens }: StreamUsage): JsonObject {
  const { input, cacheRead, cacheWrite, cacheWrite1h, other } = reported
  const inputTokens = (input ?? 0) + (other?.audioInput ?? 0) + (other?.imageInput ?? 0)
  const [cacheReadInputTokens, cacheWriteInputTokens] = [cacheRead ?? 0, (cacheWrite ?? 0) + (cacheWrite1h ?? 0)]
  const outputTokens = totalOutput(reported) ?? estimatedOutputTokens
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + cacheReadInputTokens + cacheWriteInputTokens + outputTokens,
    cacheReadInputTokens,
    cacheWriteInputTokens,
    ...((cacheWrite1h ?? 0) > 0 ? { cacheDetails: [{ ttl: '1h', inputTokens: cacheWrite1h }] } : {}),
  }
}

/** The block of the neutral stream that is under way. */
interface OpenContent {
  readonly block: number
  readonly of: BeginOf
  hasBegun: boolean
  opaque: ProviderSignature | null
}

/** See PartWriter. The usage comes behind the end of the message, in an event of its own. */
export class ConversePartWriter implements PartWriter {
  readonly takesMixedBlocks = false
  #hasBegun = false
  #open: OpenContent | null = null
  /** The `contentBlockIndex` of the next block. */
  #index = 0
  #stop: Stop = { reason: 'end', sequence: null }
  #hasCalls = false

  write(part: StreamPart): string {
    return this.#begin() + this.#write(part)
  }

  end(usage: StreamUsage): string {
    const before = this.#begin() + this.#close()
    const stop = event('messageStop', { stopReason: stopReason(this.#stop, this.#hasCalls) })
    return before + stop + event('metadata', { usage: writtenUsage(usage), metrics: { latencyMs: 1 } })
  }

  keepAlive(): string {
    return ': keep-alive\n\n'
  }

  writeFault(fault: Fault): string {
    return event('internalServerException', { message: fault.message })
  }

  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    return event('messageStart', { role: 'assistant' })
  }

  #write(part: StreamPart): string {
    switch (part.kind) {
      case 'begin':
        return this.#close() + this.#beginBlock(part.block, part.of)
      case 'delta':
        return this.#open?.block === part.block ? this.#delta(this.#open, part.text) : ''
      case 'opaque':
        if (this.#open?.block === part.block) this.#open.opaque = part.opaque
        return ''
      case 'end':
        return this.#open?.block === part.block ? this.#close() : ''
      case 'stop':
        if (part.choice === 0) this.#stop = part.stop
        return ''
      case 'logprobs':
        return ''
    }
  }

  #beginBlock(block: number, of: BeginOf): string {
    this.#open = { block, of, hasBegun: of.kind === 'tool_call', opaque: null }
    if (of.kind !== 'tool_call') return ''
    this.#hasCalls = true
    const start = { toolUse: { toolUseId: of.id, name: of.name } }
    return event('contentBlockStart', { start, contentBlockIndex: this.#index })
  }

  #delta(open: OpenContent, text: string): string {
    open.hasBegun = true
    return this.#writeDelta(deltaOf(open.of.kind, text))
  }

  #writeDelta(delta: JsonObject): string {
    return event('contentBlockDelta', { delta, contentBlockIndex: this.#index })
  }

  /** Ends the open block; one that said nothing was never there. */
  #close(): string {
    const open = this.#open
    this.#open = null
    if (open === null || (!open.hasBegun && open.opaque === null)) return ''
    return this.#sign(open) + event('contentBlockStop', { contentBlockIndex: this.#index++ })
  }

  #sign({ opaque, hasBegun }: OpenContent): string {
    if (opaque === null) return ''
    const isHidden = isRedacted(opaque) && !hasBegun
    return this.#writeDelta({ reasoningContent: isHidden ? { redactedContent: opaque.data } : signatureField(opaque) })
  }
}

function deltaOf(kind: BeginOf['kind'], text: string): JsonObject {
  if (kind === 'tool_call') return { toolUse: { input: text } }
  return kind === 'reasoning' ? { reasoningContent: { text } } : { text }
}

function event(name: string, data: JsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
