import { fieldsOf, isObject, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import type { BeginOf, NeutralAnswer, NeutralChoice, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, TokenLogprob } from '../../hub/neutral-request.ts'
import type { PartReader } from '../../hub/spoke.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { exactJsonOf, jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { CHOICES_LIMIT } from '../../reading/request-head.ts'
import { inputText } from '../../hub/call-input.ts'
import { isFinished, readFinishReason, readLogprobs } from './answer-fields.ts'
import { openSignature } from './signatures.ts'

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

/** What a call is given. */
export const ARGS: FreeFields = new Map([['args', 'data']])

/** See PartReader. Every event is a piece of an answer of the same form as a whole one. */
export class GeminiPartReader implements PartReader {
  /** Calls come whole. */
  readonly hasCutCall = false
  readonly #parts = new AnswerParts()

  read(event: ServerEvent): readonly StreamPart[] {
    const chunk = fieldsOf(jsonOf(event))
    return this.#parts.read(hasCalls(chunk) ? fieldsOf(exactJsonOf(event, ARGS)) : chunk)
  }

  end(): readonly StreamPart[] {
    return this.#parts.end()
  }
}

function hasCalls({ candidates }: JsonObject): boolean {
  return listOf(candidates).some((candidate) => {
    const { parts } = fieldsOf(fieldsOf(candidate)['content'])
    return listOf(parts).some((part) => isObject(part) && isObject(part['functionCall']))
  })
}

/** What is known of one candidate while its chunks come. */
interface StreamedCandidate {
  readonly index: number
  open: { readonly block: number; readonly kind: BeginOf['kind'] } | null
  hasCalls: boolean
  hasStopped: boolean
}

/** Reads chunks of an answer into parts; a whole answer is one chunk. Never throws. */
class AnswerParts {
  readonly #candidates = new Map<number, StreamedCandidate>()
  /** What the last call of an id was. */
  readonly #called = new Map<string, string>()
  #blocks = 0
  #parts: StreamPart[] = []

  read(chunk: JsonObject): readonly StreamPart[] {
    this.#parts = []
    const candidates = listOf(chunk['candidates'])
    for (const each of candidates.slice(0, CHOICES_LIMIT)) this.#readCandidate(fieldsOf(each))
    const reason = fieldsOf(chunk['promptFeedback'])['blockReason']
    // A prompt that was blocked has no candidates: what was asked for is withheld.
    if (isFinished(reason) && candidates.length === 0) this.#stop(this.#candidateOf(0), 'SAFETY')
    return this.#parts
  }

  end(): readonly StreamPart[] {
    this.#parts = []
    for (const candidate of this.#candidates.values()) this.#close(candidate)
    return this.#parts
  }

  #candidateOf(index: unknown): StreamedCandidate {
    const at =
      typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < CHOICES_LIMIT ? index : 0
    const known = this.#candidates.get(at)
    if (known !== undefined) return known
    const candidate: StreamedCandidate = { index: at, open: null, hasCalls: false, hasStopped: false }
    this.#candidates.set(at, candidate)
    return candidate
  }

  #readCandidate(fields: JsonObject): void {
    const candidate = this.#candidateOf(fields['index'])
    if (candidate.hasStopped) return
    for (const part of listOf(fieldsOf(fields['content'])['parts'])) this.#readPart(candidate, fieldsOf(part))
    const logprobs = readLogprobs(fields['logprobsResult'])
    if (logprobs.length > 0 && candidate.open?.kind === 'text') {
      this.#parts.push({ kind: 'logprobs', block: candidate.open.block, logprobs })
    }
    const { finishReason } = fields
    if (isFinished(finishReason)) this.#stop(candidate, finishReason)
  }

  #readPart(candidate: StreamedCandidate, { text, thought, thoughtSignature, functionCall }: JsonObject): void {
    const isThought = thought === true
    if (isThought && typeof text === 'string') this.#write(candidate, 'reasoning', text)
    if (typeof thoughtSignature === 'string') this.#sign(candidate, thoughtSignature)
    if (isThought) return
    if (typeof text === 'string') this.#write(candidate, 'text', text)
    if (isObject(functionCall)) this.#call(candidate, functionCall)
  }

  #write(candidate: StreamedCandidate, kind: 'reasoning' | 'text', text: string): void {
    if (text === '') return
    const open = candidate.open?.kind === kind ? candidate.open : this.#begin(candidate, { kind })
    this.#parts.push({ kind: 'delta', block: open.block, text })
  }

  /** Ends the thought that is open with its signature; where there is none, it is one without text. */
  #sign(candidate: StreamedCandidate, signature: string): void {
    const opaque = openSignature(signature)?.opaque ?? null
    if (opaque === null) return
    const open = candidate.open?.kind === 'reasoning' ? candidate.open : this.#begin(candidate, { kind: 'reasoning' })
    this.#parts.push({ kind: 'opaque', block: open.block, opaque })
    this.#close(candidate)
  }

  #call(candidate: StreamedCandidate, { id, name, args }: JsonObject): void {
    candidate.hasCalls = true
    const of = { kind: 'tool_call', id: textOf(id), name: textOf(name), isCustom: false } as const
    const text = inputText(args)
    if (this.#isSentAgain(of, text)) return
    const { block } = this.#begin(candidate, of)
    this.#parts.push({ kind: 'delta', block, text })
    this.#close(candidate)
  }

  /** Some upstreams repeat a call in a later chunk, by the same id. */
  #isSentAgain({ id, name }: { readonly id: string; readonly name: string }, input: string): boolean {
    const call = `${name} ${input}`
    const isAgain = id !== '' && this.#called.get(id) === call
    this.#called.set(id, call)
    return isAgain
  }

  #begin(candidate: StreamedCandidate, of: BeginOf): { readonly block: number; readonly kind: BeginOf['kind'] } {
    this.#close(candidate)
    const open = { block: this.#blocks++, kind: of.kind }
    candidate.open = open
    this.#parts.push({ kind: 'begin', block: open.block, choice: candidate.index, of })
    return open
  }

  #close(candidate: StreamedCandidate): void {
    if (candidate.open !== null) this.#parts.push({ kind: 'end', block: candidate.open.block })
    candidate.open = null
  }

  #stop(candidate: StreamedCandidate, finishReason: string): void {
    if (candidate.hasStopped) return
    this.#close(candidate)
    candidate.hasStopped = true
    const stop = readFinishReason(finishReason, candidate.hasCalls)
    this.#parts.push({ kind: 'stop', choice: candidate.index, stop })
  }
}
