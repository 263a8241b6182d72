import type { TokenCounts } from '../../../core/tokens.ts'
import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralAnswer, NeutralChoice, StreamPart } from '../../hub/neutral-answer.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { writeFinishReason, writeLogprobs, writtenUsage } from './answer-fields.ts'
import { writeSignature } from './signatures.ts'
import type { Fault } from '../../../core/faults.ts'
import { geminiError } from '../../fault-body.ts'
import { dataEvent } from '../../reading/server-event.ts'
import { GEMINI_KEEP_ALIVE } from '../../stream/keep-alive-comment.ts'
import { writeJson } from '../../json/exact-json.ts'

/** See Spoke. */
export function writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject {
  const isShown = showsThoughts(call)
  return {
    candidates: answer.choices.map((choice, index) => candidateOf(choice, { index, isShown })),
    usageMetadata: writtenUsage({ reported: usage, estimatedOutputTokens: usage.output ?? 0 }),
    modelVersion: call.model,
    responseId: call.requestId,
  }
}

/** Google's clients get thoughts only when they ask for them. Signatures come in any case. */
function showsThoughts({ request }: ClientCall): boolean {
  return request.settings.get('reasoning')?.isShown === true
}

function candidateOf(
  { blocks, stop }: NeutralChoice,
  { index, isShown }: { index: number; isShown: boolean },
): JsonObject {
  const parts: JsonObject[] = []
  let signature: string | null = null
  let isMalformed = false
  for (const block of blocks) {
    if (block.kind === 'reasoning') {
      if (isShown && block.text !== '') parts.push({ text: block.text, thought: true })
      if (block.opaque === null) continue
      if (signature !== null) parts.push({ text: '', thoughtSignature: signature })
      signature = writeSignature(block.opaque, block.text)
      continue
    }
    const args = block.kind === 'tool_call' ? callInput(block.input) : null
    if (block.kind === 'tool_call' && args === null) isMalformed = true
    else {
      const said =
        block.kind === 'tool_call' ? { functionCall: { id: block.id, name: block.name, args } } : { text: block.text }
      parts.push({ ...said, ...(signature === null ? {} : { thoughtSignature: signature }) })
      signature = null
    }
  }
  if (signature !== null || parts.length === 0) {
    parts.push({ text: '', ...(signature === null ? {} : { thoughtSignature: signature }) })
  }
  const logprobs = blocks.flatMap((block) => (block.kind === 'text' ? (block.logprobs ?? []) : []))
  return {
    content: { parts, role: 'model' },
    finishReason: writeFinishReason(stop.reason, isMalformed),
    index,
    ...(logprobs.length === 0 ? {} : { logprobsResult: writeLogprobs(logprobs) }),
  }
}

/** The block that is being written. A call waits here for its end, since its arguments are one object on this wire. */
interface OpenBlock {
  readonly choice: number
  readonly of: Extract<StreamPart, { kind: 'begin' }>['of']
  text: string
}

/** What the last chunk has to say of a candidate. */
interface CandidateEnd {
  /** Waits for the next part, which it belongs to. */
  signature: string | null
  finishReason: string | null
  isMalformed: boolean
}

/** See PartWriter. The end has no event of its own: the last chunk has all reasons to finish, and the usage. */
export class GeminiPartWriter implements PartWriter {
  readonly takesMixedBlocks = false
  readonly #requestId: string
  readonly #isShown: boolean
  /** What ends every chunk. */
  readonly #identity: string
  readonly #candidates: CandidateEnd[] = []
  #open: OpenBlock | null = null

  constructor(call: ClientCall) {
    this.#requestId = call.requestId
    this.#isShown = showsThoughts(call)
    this.#identity = JSON.stringify({ modelVersion: call.model, responseId: call.requestId }).slice(1)
    const choices = call.request.settings.get('choices') ?? 1
    for (let choice = 0; choice < choices; choice++) this.#candidateOf(choice)
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case 'begin':
        this.#open = { choice: part.choice, of: part.of, text: '' }
        return ''
      case 'delta':
        return this.#open === null ? '' : this.#writeDelta(this.#open, part.text)
      case 'logprobs':
        return this.#open === null ? '' : this.#chunk(this.#open.choice, '{"text":""}', writeLogprobs(part.logprobs))
      case 'opaque':
        return this.#open === null ? '' : this.#keepSignature(this.#open, writeSignature(part.opaque, this.#open.text))
      case 'end':
        return this.#endBlock()
      case 'stop': {
        const candidate = this.#candidateOf(part.choice)
        candidate.finishReason = writeFinishReason(part.stop.reason, candidate.isMalformed)
        return ''
      }
    }
  }

  end(usage: StreamUsage): string {
    const rest = this.#endBlock()
    const candidates = this.#candidates.map(({ signature, finishReason, isMalformed }, index) => {
      const part = { text: '', ...(signature === null ? {} : { thoughtSignature: signature }) }
      return {
        content: { parts: [part], role: 'model' },
        finishReason: finishReason ?? writeFinishReason('end', isMalformed),
        index,
      }
    })
    const last = JSON.stringify({ candidates, usageMetadata: writtenUsage(usage) }).slice(0, -1)
    return `${rest}data: ${last},${this.#identity}\n\n`
  }

  keepAlive(): string {
    return GEMINI_KEEP_ALIVE
  }

  writeFault(fault: Fault): string {
    return dataEvent(geminiError(fault, this.#requestId))
  }

  #writeDelta(open: OpenBlock, text: string): string {
    const { choice, of } = open
    if (of.kind === 'tool_call') {
      open.text += text
      return ''
    }
    const written = JSON.stringify(text)
    if (of.kind !== 'reasoning') return this.#chunk(choice, `{"text":${written}${this.#takeSignature(choice)}}`)
    open.text += text
    return this.#isShown ? this.#chunk(choice, `{"text":${written},"thought":true}`) : ''
  }

  #endBlock(): string {
    const open = this.#open
    this.#open = null
    if (open?.of.kind !== 'tool_call') return ''
    const { id, name } = open.of
    const call = writeJson(() => {
      const args = callInput(open.text)
      return args === null ? null : { id, name, args }
    })
    if (call === 'null') {
      this.#candidateOf(open.choice).isMalformed = true
      return ''
    }
    return this.#chunk(open.choice, `{"functionCall":${call}${this.#takeSignature(open.choice)}}`)
  }

  /** Keeps a signature. One that still waits goes first, on a part without text. */
  #keepSignature({ choice }: OpenBlock, signature: string): string {
    const candidate = this.#candidateOf(choice)
    const before = candidate.signature === null ? '' : this.#chunk(choice, `{"text":""${this.#takeSignature(choice)}}`)
    candidate.signature = signature
    return before
  }

  /** Takes the kept signature as a field to put behind others. */
  #takeSignature(choice: number): string {
    const candidate = this.#candidateOf(choice)
    const { signature } = candidate
    candidate.signature = null
    return signature === null ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`
  }

  #chunk(choice: number, part: string, logprobsResult?: JsonObject): string {
    const logprobs = logprobsResult === undefined ? '' : `,"logprobsResult":${JSON.stringify(logprobsResult)}`
    const content = `{"parts":[${part}],"role":"model"}`
    return `data: {"candidates":[{"content":${content},"index":${choice}${logprobs}}],${this.#identity}\n\n`
  }

  #candidateOf(choice: number): CandidateEnd {
    const known = this.#candidates[choice]
    if (known !== undefined) return known
    const candidate: CandidateEnd = { signature: null, finishReason: null, isMalformed: false }
    this.#candidates[choice] = candidate
    return candidate
  }
}
