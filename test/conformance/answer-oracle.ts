/**
 * What a damaged answer says, read as simply as can be: whether it says that something failed, and whether it says that it ended
 * well. Written apart from the readers that it judges.
 */
import type { HubWire } from '../../src/core/wire.ts'
import { STOP_WORDS } from '../../src/protocols/reading/stop-words.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Said {
  /** The first failure: an error, or a word that is not the end of a good answer. */
  readonly failure: string | null
  /** Something says that it ended. */
  readonly hasEnded: boolean
  /** The most output that it reports; null: none. */
  readonly mostOutput: number | null
  /** A call began, and was neither closed nor is there a word that the answer ended with calls. */
  readonly hasOpenCall: boolean
}

/** What a stream says up to its end. `passesUnknown`: the client reads this wire itself. */
export function saidInStream(wire: HubWire, stream: string, passesUnknown: boolean): Said {
  const reading = new Reading(wire, passesUnknown)
  // Where the first event shows that the blank lines are missing, each line is an event.
  const first = dataLines(stream.split('\n\n')[0] ?? '')
  const isInLines = first.length > 1 && first.every((line) => Object.keys(parsed(line)).length > 0)
  for (const event of stream.split(isInLines ? '\n' : '\n\n')) reading.event(event)
  return reading
}

export function saidInWhole(wire: HubWire, body: string, passesUnknown: boolean): Said {
  const reading = new Reading(wire, passesUnknown)
  reading.whole(parsed(body))
  return reading
}

class Reading implements Said {
  readonly #wire: HubWire
  readonly #passesUnknown: boolean
  readonly #openCalls = new Set<unknown>()
  readonly #finished = new Set<number>()
  failure: string | null = null
  hasEnded = false
  #isOver = false
  /** An event has reported usage. */
  #isCounted = false
  mostOutput: number | null = null

  constructor(wire: HubWire, passesUnknown: boolean) {
    this.#wire = wire
    this.#passesUnknown = passesUnknown && wire !== 'openai-chat'
  }

  get hasOpenCall(): boolean {
    return this.#openCalls.size > 0
  }

  event(event: string): void {
    const name = [...event.matchAll(/^event: ?(.*)$/gm)].at(-1)?.[1]
    const data = dataLines(event).join('\n')
    if (data.trim() === DONE) {
      if (this.#wire === 'openai-chat') this.hasEnded = this.#isOver = true
      return
    }
    if (name === 'error') this.#fails('an error event')
    this.fields(parsed(data), name)
  }

  /** A whole answer says at its top what the last events of a stream say. */
  whole(fields: Fields): void {
    this.#word(fields[this.#wire === 'bedrock-converse' ? 'stopReason' : 'stop_reason'])
    if (this.#wire === 'openai-responses') this.#status(fields)
    this.fields(fields)
  }

  fields(fields: Fields, name?: string): void {
    const type = name?.startsWith('response.') === true ? name : (fields['type'] ?? name)
    // What has the type of an event is that event, and not an object of another kind.
    const isTyped = typeof type === 'string' && /^(?:response\.|content_block_st)/.test(type)
    if (isError(fields['error']) && (!isTyped || this.#wire !== 'openai-responses')) this.#fails('an error')
    if ((fields['object'] === 'error' || fields['type'] === 'error') && !isTyped) this.#fails('an error')
    const status = objectOf(fields['base_resp'])['status_code']
    const isSaid = status !== undefined && status !== null && Number(status) !== 0
    if (isSaid && this.#wire === 'openai-chat') this.#fails('base_resp')
    this.#count(fields)
    switch (this.#wire) {
      case 'openai-chat':
        return this.#choices(fields)
      case 'anthropic-messages':
        return this.#message(fields, type)
      case 'openai-responses':
        return this.#response(fields, type)
      case 'gemini':
        for (const each of listOf(fields['candidates'])) this.#word(objectOf(each)['finishReason'])
        if (isText(objectOf(fields['promptFeedback'])['blockReason'])) this.hasEnded = this.#isOver = true
        // The end of this wire is the chunk with the last counts.
        this.#isOver ||= this.hasEnded && Object.keys(objectOf(fields['usageMetadata'])).length > 0
        return
      case 'bedrock-converse':
        return this.#converse(fields, name)
    }
  }

  #choices(fields: Fields): void {
    for (const each of listOf(fields['choices'])) {
      const choice = objectOf(each)
      if (isError(choice['error'])) this.#fails('an error in a choice')
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0
      const calls = listOf(objectOf(choice['delta'])['tool_calls'])
      const isCalled = calls.some((call) => isText(objectOf(objectOf(call)['function'])['name']))
      // What comes behind its end belongs to no choice.
      if (isCalled && !this.#isOver && !this.#finished.has(index)) this.#openCalls.add(index)
      this.#word(choice['finish_reason'])
      if (!isText(choice['finish_reason'])) continue
      this.#finished.add(index)
      this.#openCalls.delete(index)
    }
  }

  #message(fields: Fields, type: unknown): void {
    if (type === 'message_stop') this.hasEnded = this.#isOver = true
    if (type === 'message_delta') this.#word(objectOf(fields['delta'])['stop_reason'])
    const block = objectOf(fields['content_block'])
    if (this.hasEnded) return
    if (type === 'content_block_start' && block['type'] === 'tool_use') this.#openCalls.add(fields['index'])
    if (type === 'content_block_stop') this.#openCalls.delete(fields['index'])
  }

  #converse({ start, contentBlockIndex: index, stopReason, usage }: Fields, name: string | undefined): void {
    if (name?.endsWith('Exception') === true) this.#fails('an exception')
    if (name === 'contentBlockStart' && !this.hasEnded && 'toolUse' in objectOf(start)) this.#openCalls.add(index)
    if (name === 'contentBlockStop' && !this.hasEnded) this.#openCalls.delete(index)
    if (name === 'messageStop') {
      this.#word(stopReason)
      this.hasEnded = true
    }
    this.#isCounted ||= name === 'metadata' && Object.keys(objectOf(usage)).length > 0
    this.#isOver ||= this.hasEnded && this.#isCounted
  }

  #response(fields: Fields, type: unknown): void {
    if (type === 'response.failed' || type === 'response.cancelled') this.#fails('a response that failed')
    if (type !== 'response.completed' && type !== 'response.incomplete') return
    const response = objectOf(fields['response'])
    if (isError(response['error'])) this.#fails('an error in the response')
    this.#status(response)
    this.hasEnded = this.#isOver = true
  }

  #status({ status, incomplete_details: details }: Fields): void {
    if (status === 'incomplete') this.#word(objectOf(details)['reason'])
    else if (status !== 'completed' && status !== 'in_progress' && status !== 'queued') this.#word(status)
  }

  #word(word: unknown): void {
    if (!isText(word)) return
    const meaning = STOP_WORDS.get(word.toLowerCase()) ?? STOP_WORDS.get(word.toLowerCase().split(':')[0] ?? '')
    const isUnknown = meaning === undefined && !this.#passesUnknown
    if (meaning === 'failed' || isUnknown) this.#fails(`the word ${word}`)
    this.hasEnded = true
  }

  #fails(why: string): void {
    // What comes behind the end is not read for failures.
    if (!this.#isOver) this.failure ??= why
  }

  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    let output = 0
    for (const [key, each] of Object.entries(value)) {
      const count = countOf(each)
      if (!OUTPUT.test(key) || count === null) this.#count(each)
      else output += count
    }
    const reasoning = reasoningIn(value)
    if (reasoning > output) output += reasoning
    // Kinds of output that stand beside each other are parts of it on one wire, and the same twice on another.
    if (output > 0) this.mostOutput = Math.max(this.mostOutput ?? 0, output)
  }
}

const DONE = '[DONE]'

const OUTPUT =
  /^(?:completion_tokens|output_tokens|total_tokens|candidatesTokenCount|thoughtsTokenCount|totalTokenCount|outputTokens|totalTokens)$/
const REASONING = /^(?:reasoning_tokens|thinking_tokens)$/

/** A number, or its digits as text. */
function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof count === 'number' ? Math.max(0, count) : null
}

/** What is more than the output stands beside it. */
function reasoningIn(usage: object): number {
  const fields = Object.values(usage).flatMap((each) => Object.entries(objectOf(each)))
  const counts = [...Object.entries(usage), ...fields]
    .filter(([key]) => REASONING.test(key))
    .map(([, each]) => countOf(each))
  return Math.max(0, ...counts.map((count) => count ?? 0))
}

function dataLines(event: string): readonly string[] {
  return [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line ?? '')
}

function isError(error: unknown): boolean {
  if (typeof error === 'object' && error !== null) return Object.keys(error).length > 0
  return Boolean(error)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.endsWith('_UNSPECIFIED')
}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return objectOf(Array.isArray(value) ? value[0] : value)
  } catch {
    return {}
  }
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
