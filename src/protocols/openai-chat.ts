import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { openaiError } from './fault-body.ts'
import type { EarlyEnd, Protocol, StreamOptions } from './protocol.ts'
import { answerReader, type TextFields } from './reading/answer.ts'
import { readChunkUsage, readOpenaiUsage } from './reading/openai-usage.ts'
import { requestReader } from './reading/request-head.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { fieldsOf } from './reading/usage-report.ts'
import { UsageTally } from './reading/usage-tally.ts'
import { ChoicesSeen } from './stream/choices-seen.ts'
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

/** Upstreams send reasoning under several of these names at once. */
const REASONING = ['reasoning_content', 'reasoning', 'text', 'summary', 'thinking']

/**
 * What the model writes, in messages and deltas alike: the text of parts of a content (Mistral), calls of functions and of
 * custom tools, what was said in sound, and reasoning (OpenRouter's `reasoning_details` have `text` or `summary`,
 * LiteLLM's `thinking_blocks` have `thinking`).
 */
const TEXT: TextFields = {
  fields: ['content', 'refusal', 'transcript', 'arguments', 'input', 'name', ...REASONING],
  twins: REASONING,
}

/** `POST /v1/chat/completions`, of OpenAI and of everybody who speaks it. */
export const openaiChat: Protocol = {
  wire: 'openai-chat',
  streams: true,
  readRequest: requestReader({
    outputLimits: ['max_completion_tokens', 'max_tokens'],
    stream: true,
    chatFields: true,
    tokenIds: null,
  }),
  rewriteRequest: renameModelAndAskForUsage,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'choices',
    text: TEXT,
    failed: ({ error }) => error !== undefined && error !== null,
  }),
  readError: readErrorAnswer,
  openStream: (options) => new EventStream(STREAM, new ChatJudge(options)),
}

const STREAM: StreamShape = {
  marker: /_tokens"|\[DONE\]|error/g,
  sign: /_tokens"|\[DONE\]|"error"|event: ?error/,
  text: {
    ...TEXT,
    finish: /finish_reason":[ \t]*"[^"]/,
  },
}

class ChatJudge implements StreamJudge {
  readonly #dropUsageChunk: boolean
  readonly #tally = new UsageTally({ inputIncludesCache: true })
  #identity: ChunkIdentity = { id: '', created: 0, model: '' }
  /** Null with one choice, which needs no watching. */
  readonly #choices: ChoicesSeen | null
  usageIsFinal = false

  constructor({ dropUsageChunk, choices }: StreamOptions) {
    this.#dropUsageChunk = dropUsageChunk
    this.#choices = (choices ?? 1) > 1 ? new ChoicesSeen() : null
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
    if (choices !== null) this.#choices?.add(choices)
    const usage = readChunkUsage(chunk)
    if (usage === null) return PASS
    this.#tally.add(usage)
    const alone = choices?.length === 0
    this.usageIsFinal ||=
      usage.output !== null && (alone || typeof fieldsOf(choices?.[0])['finish_reason'] === 'string')
    return alone && this.#dropUsageChunk ? { kind: 'drop' } : PASS
  }

  /** A chunk with an empty delta: some clients' timers do not see comments, and all accept it even as the first. */
  keepAlive(last: string): Buffer {
    this.#identity = identityIn(last) ?? this.#identity
    return chunkOf(this.#identity, { choices: [{ index: 0, delta: {}, finish_reason: null }] })
  }

  endEarly(end: EarlyEnd, { last, text }: SoFar): Buffer {
    const identity = identityIn(last) ?? (this.#identity.id === '' ? madeUpIdentity(end) : this.#identity)
    const unfinished = this.#choices?.unfinished() ?? (text.finished ? [] : [{ index: 0, begun: text.begun }])
    const chunks = unfinished.map(({ index, begun }) => {
      const delta = begun ? {} : { role: 'assistant', content: '' }
      return chunkOf(identity, { choices: [{ index, delta, logprobs: null, finish_reason: 'length' }] })
    })
    const usage = end.includeUsage && !this.usageIsFinal ? earlyUsage(end, this.usage) : null
    if (usage !== null) {
      const { input, cached, output, reasoning } = usage
      const totals = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      const details = {
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: reasoning },
      }
      chunks.push(chunkOf(identity, { choices: [], usage: { ...totals, ...details } }))
    }
    return Buffer.concat([...chunks, DONE])
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return eventOf(openaiError(fault, requestId))
  }
}

const DONE = Buffer.from('data: [DONE]\n\n')

interface ChunkIdentity {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** What every chunk of one answer has in common, from the last of the events. */
function identityIn(events: string): ChunkIdentity | null {
  const start = events.lastIndexOf('data:')
  const end = events.indexOf('\n', start)
  if (start < 0) return null
  const line = events.slice(start + 5, end < 0 ? events.length : end)
  const { id, created, model } = fieldsOf(jsonOf({ name: null, data: Buffer.from(line, 'latin1') }))
  if (typeof id !== 'string' || typeof created !== 'number' || typeof model !== 'string') return null
  return { id, created, model }
}

function madeUpIdentity({ requestId, model, nowMs }: EarlyEnd): ChunkIdentity {
  return { id: madeUpId('chatcmpl-', requestId), created: Math.floor(nowMs / 1000), model }
}

function chunkOf({ id, created, model }: ChunkIdentity, fields: object): Buffer {
  return eventOf({ id, object: 'chat.completion.chunk', created, model, ...fields })
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readOpenaiUsage(usage))
  return tally.counts
}

function eventOf(data: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`)
}
