import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { openaiError } from './fault-body.ts'
import type { EarlyEnd, Protocol, RequestHead, StreamOptions } from './protocol.ts'
import { answerReader, readFields, type TextFields } from './reading/answer.ts'
import { JsonFlaw } from './reading/json-scan.ts'
import { readChunkUsage, readOpenaiUsage } from './reading/openai-usage.ts'
import { CHOICES_LIMIT, requestReader } from './reading/request-head.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { fieldsOf } from './reading/usage-report.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { earlyUsage, madeUpId } from './stream/early-usage.ts'
import {
  EventStream,
  PASS,
  type SoFar,
  type StreamJudge,
  type StreamShape,
  type Verdict,
} from './stream/event-stream.ts'
import { jsonOf, type ServerEvent } from './stream/server-event.ts'

const TEXT: TextFields = { fields: ['text'] }

const readHead = requestReader({
  outputLimits: ['max_tokens'],
  stream: true,
  chatFields: true,
  tokenIds: 'prompt',
  alsoOnce: ['best_of'],
})

/** `POST /v1/completions`: text that goes on where the prompt ends. */
export const openaiCompletions: Protocol = {
  wire: 'openai-completions',
  streams: true,
  readRequest,
  rewriteRequest: renameModelAndAskForUsage,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'choices',
    text: TEXT,
    failed: ({ error }) => (error ?? null) !== null,
  }),
  readError: readErrorAnswer,
  openStream: (options) => new EventStream(STREAM, new CompletionsJudge(options)),
}

const SEVERAL = new Set(['prompt', 'best_of'])

/** A list of prompts gets an answer to each, and of `best_of` answers all are written and billed. */
function readRequest(body: Buffer): RequestHead {
  const head = readHead(body)
  const fields = readFields(body, SEVERAL)
  if (fields instanceof JsonFlaw) return head
  const [prompt, best] = [fields.get('prompt'), fields.get('best_of')]
  // A list of numbers is one prompt, as tokens.
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? Math.max(1, prompt.length) : 1
  const answers =
    typeof best === 'number' && best > head.choices ? Math.min(Math.floor(best), CHOICES_LIMIT) : head.choices
  return { ...head, choices: Math.min(prompts, PROMPTS_LIMIT) * answers }
}

/** No upstream is known to take more at once. */
const PROMPTS_LIMIT = 2_048

const STREAM: StreamShape = {
  marker: /_tokens"|\[DONE\]|error/g,
  sign: /_tokens"|\[DONE\]|"error"|event: ?error/,
  // Each piece of text is the value of `text` itself.
  text: { fields: [], delta: 'text', finish: /finish_reason":[ \t]*"[^"]/ },
}

class CompletionsJudge implements StreamJudge {
  readonly #dropUsageChunk: boolean
  readonly #tally = new UsageTally({ inputIncludesCache: true })
  /** Whether each choice that was seen has finished, by its index; null with one choice, which needs no watching. */
  readonly #choices: Map<number, boolean> | null
  usageIsFinal = false

  constructor({ dropUsageChunk, choices }: StreamOptions) {
    this.#dropUsageChunk = dropUsageChunk
    this.#choices = (choices ?? 1) > 1 ? new Map() : null
  }

  /** The choices' chunks are mixed, and an early end has to end each of them. */
  get seesAll(): boolean {
    return this.#choices !== null
  }

  get usage(): TokenCounts {
    return this.#tally.counts
  }

  judge(event: ServerEvent): Verdict {
    if (event.data.length < 16 && event.data.toString('latin1').trim() === '[DONE]') return { kind: 'end' }
    const json = jsonOf(event)
    const chunk = fieldsOf(json)
    if ((chunk['error'] ?? null) !== null) return { kind: 'failed', error: readErrorObject(json) }
    if (event.name === 'error' && json !== undefined) return { kind: 'failed', error: readErrorObject(json) }
    const choices: unknown[] | null = Array.isArray(chunk['choices']) ? chunk['choices'] : null
    for (const choice of choices ?? []) this.#note(fieldsOf(choice))
    const usage = readChunkUsage(chunk)
    if (usage === null) return PASS
    this.#tally.add(usage)
    const alone = choices?.length === 0
    const isLast = alone || typeof fieldsOf(choices?.[0])['finish_reason'] === 'string'
    this.usageIsFinal ||= usage.output !== null && isLast
    return alone && this.#dropUsageChunk ? { kind: 'drop' } : PASS
  }

  #note(choice: Readonly<Record<string, unknown>>): void {
    const index = choice['index']
    if (this.#choices === null || typeof index !== 'number') return
    if (!this.#choices.has(index) && this.#choices.size >= CHOICES_LIMIT) return
    const reason = choice['finish_reason']
    const isFinished = typeof reason === 'string' && reason !== ''
    this.#choices.set(index, isFinished || this.#choices.get(index) === true)
  }

  keepAlive(last: string): Buffer {
    return chunkOf(identityIn(last) ?? { id: '', created: 0, model: '' }, { choices: [choiceOf(0, null)] })
  }

  endEarly(end: EarlyEnd, { last, text }: SoFar): Buffer {
    const identity = identityIn(last) ?? {
      id: madeUpId('cmpl-', end.requestId),
      created: Math.floor(end.nowMs / 1000),
      model: end.model,
    }
    const chunks = this.#unfinished(text.finished).map((index) =>
      chunkOf(identity, { choices: [choiceOf(index, 'length')] }),
    )
    const usage = end.includeUsage && !this.usageIsFinal ? earlyUsage(end, this.usage) : null
    if (usage !== null) {
      const { input, output } = usage
      const totals = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      chunks.push(chunkOf(identity, { choices: [], usage: totals }))
    }
    return Buffer.concat([...chunks, DONE])
  }

  #unfinished(isFinished: boolean): readonly number[] {
    if (this.#choices === null) return isFinished ? [] : [0]
    if (this.#choices.size === 0) return [0]
    return [...this.#choices].filter(([, isDone]) => !isDone).map(([index]) => index)
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return eventOf(openaiError(fault, requestId))
  }
}

const DONE = Buffer.from('data: [DONE]\n\n')

/** What every chunk of one answer has in common. */
interface ChunkIdentity {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** From the last of the events. */
function identityIn(events: string): ChunkIdentity | null {
  const start = events.lastIndexOf('data:')
  const end = events.indexOf('\n', start)
  if (start < 0) return null
  const line = events.slice(start + 5, end < 0 ? events.length : end)
  const { id, created, model } = fieldsOf(jsonOf({ name: null, data: Buffer.from(line, 'latin1') }))
  if (typeof id !== 'string' || typeof created !== 'number' || typeof model !== 'string') return null
  return { id, created, model }
}

function choiceOf(index: number, finishReason: 'length' | null): object {
  return { text: '', index, logprobs: null, finish_reason: finishReason }
}

function chunkOf({ id, created, model }: ChunkIdentity, fields: object): Buffer {
  return eventOf({ id, object: 'text_completion', created, model, ...fields })
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readOpenaiUsage(usage))
  return tally.counts
}

function eventOf(data: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`)
}
