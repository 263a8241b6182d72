import type { Fault } from '../core/faults.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { anthropicError } from './fault-body.ts'
import type { Protocol } from './protocol.ts'
import { answerReader } from './reading/answer.ts'
import { readAnthropicUsage } from './reading/anthropic-usage.ts'
import { requestReader } from './reading/request-head.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer, readErrorObject } from './reading/upstream-error.ts'
import { fieldsOf, NOTHING_REPORTED, UsageTally } from './reading/usage-tally.ts'
import { EventStream, PASS, type StreamJudge, type StreamShape, type Verdict } from './stream/event-stream.ts'
import { jsonOf, type ServerEvent } from './stream/server-event.ts'

/** `POST /v1/messages`, and `POST /v1/messages/count_tokens`, whose requests are the same and whose answers are free. */
export const anthropicMessages: Protocol = {
  wire: 'anthropic-messages',
  streams: true,
  readRequest: requestReader({ outputLimits: ['max_tokens'], stream: true, chatFields: false, tokenIds: false }),
  rewriteRequest: renameModel,
  readAnswer: answerReader({
    countsOf: (usage) => countsOf(usage),
    output: 'content',
    text: ['text', 'thinking', 'input', 'name'],
    failed: ({ type, error }) => type === 'error' || (type === undefined && (error ?? null) !== null),
  }),
  readError: readErrorAnswer,
  openStream: () => new EventStream(STREAM, new MessagesJudge()),
}

const STREAM: StreamShape = {
  marker: /"message_|error/g,
  sign: /"message_|"error"|event: ?error/,
  text: { fields: ['text', 'thinking', 'partial_json'] },
}

class MessagesJudge implements StreamJudge {
  readonly #tally = new UsageTally({ inputIncludesCache: false })
  usageIsFinal = false

  get usage(): TokenCounts {
    return this.#tally.counts
  }

  judge(event: ServerEvent): Verdict {
    const json = jsonOf(event)
    if (json === undefined) return PASS
    const fields = fieldsOf(json)
    const type = fields['type'] ?? event.name
    if (type === 'message_stop') return { kind: 'end' }
    if (type === 'error' || event.name === 'error') return { kind: 'failed', error: readErrorObject(json) }
    if (type === 'message_start') this.#add(fieldsOf(fields['message'])['usage'])
    if (type === 'message_delta') this.usageIsFinal = this.#add(fields['usage']) || this.usageIsFinal
    return PASS
  }

  keepAlive(): Buffer {
    return eventOf('ping', { type: 'ping' })
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return eventOf('error', anthropicError(fault, requestId))
  }

  /** Whether the output was among what was reported. */
  #add(usage: unknown): boolean {
    const report = readAnthropicUsage(usage)
    if (report !== null) this.#tally.add(report)
    return (report?.output ?? null) !== null
  }
}

function countsOf(usage: unknown): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: false })
  tally.add(readAnthropicUsage(usage) ?? NOTHING_REPORTED)
  return tally.counts
}

function eventOf(name: string, data: object): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
