import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { openaiError } from './fault-body.ts'
import type { Protocol, StreamOptions } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { requestReader } from './reading/request-head.ts'
import { renameModelAndAskForUsage } from './reading/request-rewrite.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { fieldsOf, NOTHING_REPORTED, UsageTally } from './reading/usage-tally.ts'
import { EventStream, PASS, type StreamJudge, type StreamShape, type Verdict } from './stream/event-stream.ts'
import { jsonOf, type ServerEvent } from './stream/server-event.ts'

/** `POST /v1/chat/completions`, of OpenAI and of everybody who speaks it. */
export const openaiChat: Protocol = {
  wire: 'openai-chat',
  streams: true,
  readRequest: requestReader({
    outputLimits: ['max_completion_tokens', 'max_tokens'],
    stream: true,
    chatFields: true,
    tokenIds: false,
  }),
  rewriteRequest: renameModelAndAskForUsage,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'choices',
    text: ['content', 'reasoning_content', 'reasoning', 'refusal', 'text', 'arguments', 'name'],
    failed: ({ error }) => error !== undefined && error !== null,
  }),
  readError: readErrorAnswer,
  openStream: (options) => new EventStream(STREAM, new ChatJudge(options)),
}

const STREAM: StreamShape = {
  marker: /_tokens"|\[DONE\]|error/g,
  sign: /_tokens"|\[DONE\]|"error"|event: ?error/,
  text: {
    fields: ['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments', 'name'],
    twins: ['reasoning_content', 'reasoning'],
    finish: /finish_reason":[ \t]*"/,
  },
}

class ChatJudge implements StreamJudge {
  readonly #dropUsageChunk: boolean
  readonly #tally = new UsageTally({ inputIncludesCache: true })
  #identity: ChunkIdentity = { id: '', created: 0, model: '' }
  usageIsFinal = false

  constructor({ dropUsageChunk }: StreamOptions) {
    this.#dropUsageChunk = dropUsageChunk
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
    // Moonshot has the usage within the choice that finishes.
    const firstChoice = fieldsOf(choices?.[0])
    const usage = readOpenaiUsage(chunk['usage']) ?? readOpenaiUsage(firstChoice['usage'])
    if (usage === null) return PASS
    this.#tally.add(usage)
    const alone = choices?.length === 0
    this.usageIsFinal ||= usage.output !== null && (alone || typeof firstChoice['finish_reason'] === 'string')
    return alone && this.#dropUsageChunk ? { kind: 'drop' } : PASS
  }

  /** A chunk with an empty delta: some clients' timers do not see comments, and all accept it even as the first. */
  keepAlive(last: string): Buffer {
    this.#identity = identityIn(last) ?? this.#identity
    const { id, created, model } = this.#identity
    const choices = [{ index: 0, delta: {}, finish_reason: null }]
    return eventOf({ id, object: 'chat.completion.chunk', created, model, choices })
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return eventOf(openaiError(fault, requestId))
  }
}

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

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  tally.add(readOpenaiUsage(usage) ?? NOTHING_REPORTED)
  return tally.counts
}

function eventOf(data: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`)
}
