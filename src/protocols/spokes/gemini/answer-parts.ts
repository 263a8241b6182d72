import { CHOICES_LIMIT } from '../../reading/request-head.ts'
import { fieldsOf, isObject, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import type { BeginOf, StreamPart } from '../../hub/neutral-answer.ts'
import { inputText } from '../../hub/call-input.ts'
import { readLogprobs } from './logprobs.ts'
import { openSignature } from './signatures.ts'
import { isFinished, readFinishReason } from './stop-reasons.ts'

/** What is known of one candidate while its chunks come. */
interface StreamedCandidate {
  readonly index: number
  open: { readonly block: number; readonly kind: BeginOf['kind'] } | null
  hasCalls: boolean
  hasStopped: boolean
}

/** Reads chunks of an answer into parts; a whole answer is one chunk. Never throws. */
export class AnswerParts {
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
