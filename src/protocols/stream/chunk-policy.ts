import type { Fault } from '../../core/faults.ts'
import { openaiError } from '../fault-body.ts'
import type { EarlyEnd, StreamOptions } from '../protocol.ts'
import { failureIn, failureOfEvent } from '../reading/answer-failure.ts'
import { openaiTerms } from '../reading/answer-terms.ts'
import { flawOfChoices, isAnyWithheld } from '../reading/choice-flaws.ts'
import { readChunkUsage } from '../reading/openai-usage.ts'
import { fieldsOf } from '../json/json-object.ts'
import { AnswerPolicy } from './answer-policy.ts'
import { earlyUsage, madeUpId } from './early-usage.ts'
import { type EventAction, type EventPolicy, failed, PASS, type SoFar, type StreamShape } from './event-stream.ts'
import type { ProducedText } from './produced-text.ts'
import { dataEvent, jsonOf, lastFieldsIn, type ServerEvent } from '../reading/server-event.ts'
import { CHOICES_LIMIT } from '../reading/request-head.ts'

/** Found in the events of a stream of chunks, it tells that a choice has finished. */
export const FINISHED = /finish_reason":[ \t]*"[^"]/

/** How chunks are found that have to be looked into. */
export const CHUNKS = {
  // `base_resp` is looked for by its last letters: fewer or more of them make the search twice as slow. Measured.
  marker: /_tokens"|\[DONE\]|error|reason":[ \t]*"[^"]|se_resp"/g,
  sign: /_(?:tokens|resp)"|\[DONE\]|"error"|event: ?error|finish_reason":[ \t]*"[^"]|^data: ?[^\s{[]/m,
} as const satisfies Partial<StreamShape>

/** What the chunks of one of OpenAI's older wires look like. */
export interface ChunkForm {
  readonly object: 'chat.completion.chunk' | 'text_completion'
  readonly idPrefix: 'chatcmpl-' | 'cmpl-'
  /** A choice that adds nothing: to keep a client waiting, or to end it. `isBegun`: it was in a chunk before. */
  emptyChoice(index: number, how: { isBegun: boolean; finishReason: 'length' | null }): object
}

/** The understanding of a stream of chunks with `choices`, which `[DONE]` ends: chat completions and their elders. */
export class ChunkPolicy extends AnswerPolicy implements EventPolicy {
  readonly #form: ChunkForm
  readonly #dropUsageChunk: boolean
  readonly #asked: number
  #identity: ChunkIdentity = { id: '', created: 0, model: '' }
  /** Null with one choice, which needs no watching. */
  readonly #choices: ChoicesSeen | null
  /** A choice has come. */
  #hasBegun = false
  hasStopped = false

  constructor(form: ChunkForm, options: StreamOptions) {
    super(options, { inputIncludesCache: true })
    this.#form = form
    this.#dropUsageChunk = options.dropUsageChunk
    this.#asked = options.choices ?? 1
    this.#choices = this.#asked > 1 ? new ChoicesSeen() : null
  }

  /** Whether every event is read: until a choice comes, anything may be a failure; of several, whose chunks are mixed, an early end has to end each. */
  get seesAll(): boolean {
    return this.#choices !== null || !this.#hasBegun
  }

  isFinished(): boolean {
    return this.#choices === null ? this.hasStopped : this.#choices.finished >= this.#asked
  }

  judge(event: ServerEvent): EventAction {
    if (event.data.length < 16 && event.data.toString('latin1').trim() === '[DONE]') return { kind: 'end' }
    if (event.name === 'error' || isText(event)) return failed(failureOfEvent(event))
    const chunk = fieldsOf(jsonOf(event))
    const choices: unknown[] | null = Array.isArray(chunk['choices']) ? chunk['choices'] : null
    const failure = failureIn(chunk) ?? flawOfChoices(choices)
    if (failure !== null) return failed(failure)
    if (choices !== null && choices.length > 0) this.#see(choices, chunk)
    for (const choice of this.calls === null ? [] : (choices ?? [])) {
      this.calls?.addMessage(fieldsOf(choice)['delta'])
    }
    const usage = readChunkUsage(chunk)
    this.report(usage, openaiTerms(chunk))
    if (usage === null) return PASS
    const alone = choices?.length === 0
    this.usageIsFinal ||=
      usage.output !== null && (alone || typeof fieldsOf(choices?.[0])['finish_reason'] === 'string')
    return alone && this.#dropUsageChunk ? { kind: 'drop' } : PASS
  }

  override isNothing(text: ProducedText): boolean {
    return !this.#hasBegun || super.isNothing(text)
  }

  #see(choices: readonly unknown[], chunk: Readonly<Record<string, unknown>>): void {
    if (!this.#hasBegun) this.#identity = identityOf(chunk) ?? this.#identity
    this.#hasBegun = true
    this.isWithheld ||= isAnyWithheld(choices)
    this.hasStopped ||= choices.some((choice) => isWord(fieldsOf(choice)['finish_reason']))
    this.#choices?.add(choices)
  }

  keepAlive(last: string): Buffer {
    this.#identity = identityIn(last) ?? this.#identity
    const choice = this.#form.emptyChoice(0, { isBegun: true, finishReason: null })
    return this.#chunk(this.#identity, { choices: [choice] })
  }

  finishEarly(end: EarlyEnd, { last, text }: SoFar): Buffer {
    const identity = identityIn(last) ?? (this.#identity.id === '' ? this.#madeUp(end) : this.#identity)
    const unfinished = this.#choices?.unfinished() ?? (this.hasStopped ? [] : [{ index: 0, begun: text.begun }])
    const chunks = unfinished.map(({ index, begun }) => {
      const choice = this.#form.emptyChoice(index, { isBegun: begun, finishReason: 'length' })
      return this.#chunk(identity, { choices: [choice] })
    })
    const usage = end.includeUsage && !this.usageIsFinal ? earlyUsage(end, this.usage) : null
    if (usage !== null) {
      const { input, cached, output, reasoning } = usage
      const totals = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      const details = {
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: reasoning },
      }
      chunks.push(this.#chunk(identity, { choices: [], usage: { ...totals, ...details } }))
    }
    return Buffer.concat([...chunks, DONE])
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return Buffer.from(dataEvent(openaiError(fault, requestId)))
  }

  #madeUp({ requestId, model, nowMs }: EarlyEnd): ChunkIdentity {
    return { id: madeUpId(this.#form.idPrefix, requestId), created: Math.floor(nowMs / 1000), model }
  }

  #chunk({ id, created, model }: ChunkIdentity, fields: object): Buffer {
    return Buffer.from(dataEvent({ id, object: this.#form.object, created, model, ...fields }))
  }
}

function isWord(reason: unknown): boolean {
  return typeof reason === 'string' && reason !== ''
}

/** Whether the data is a text that says what went wrong, as some servers do; other texts are signs of life. */
function isText({ data }: ServerEvent): boolean {
  if (data.length === 0) return false
  const text = data.toString('latin1', 0, TEXT_BYTES).trim()
  return !JSON_START.test(text) && WENT_WRONG.test(text)
}

const TEXT_BYTES = 256
const WENT_WRONG = /error|fail|denied|unavailable|invalid|refused|time-?out|exceeded|<(?:!doctype|html)/i
/** Also of half a chunk, and of half of the mark for the end. */
const JSON_START = /^(?:[{[]|$)/

const DONE = Buffer.from('data: [DONE]\n\n')

interface ChunkIdentity {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** What every chunk of one answer has in common, from the last of the events. */
function identityIn(events: string): ChunkIdentity | null {
  return identityOf(lastFieldsIn(events))
}

/** null: the chunk names no answer. What Azure's filter reports has an empty id, model and time. */
function identityOf({ id, created, model }: Readonly<Record<string, unknown>>): ChunkIdentity | null {
  if (typeof id !== 'string' || id === '' || typeof created !== 'number' || typeof model !== 'string') return null
  return { id, created, model }
}

/** Notes which of the choices of one chat completion have begun, and which have said why they finished. */
export class ChoicesSeen {
  readonly #finished = new Map<number, boolean>()

  /** Takes the `choices` of a chunk. */
  add(choices: readonly unknown[]): void {
    for (const choice of choices) {
      const { index, finish_reason: reason } = fieldsOf(choice)
      if (typeof index !== 'number') continue
      if (!this.#finished.has(index) && this.#finished.size >= CHOICES_LIMIT) continue
      const finishes = typeof reason === 'string' && reason !== ''
      this.#finished.set(index, finishes || this.#finished.get(index) === true)
    }
  }

  /** How many have finished. */
  get finished(): number {
    return [...this.#finished.values()].filter((finished) => finished).length
  }

  /** Choices that have begun and not finished; the first one, not begun, where none has. */
  unfinished(): readonly { readonly index: number; readonly begun: boolean }[] {
    if (this.#finished.size === 0) return [{ index: 0, begun: false }]
    return [...this.#finished].filter(([, finished]) => !finished).map(([index]) => ({ index, begun: true }))
  }
}
