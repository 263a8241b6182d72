import { Fault } from '../../../core/faults.ts'
import { KEPT_PARTS_LIMIT_BYTES } from '../../../core/limits.ts'
import { inputText } from '../../hub/call-input.ts'
import { type BeginOf, isUncut, type NeutralAnswer, type Stop, type StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature } from '../../hub/neutral-request.ts'
import type { PartReader } from '../../hub/spoke.ts'
import { fieldsOf, type JsonObject, listOf, textOf } from '../../json/json-object.ts'
import type { FreeFields } from '../../json/json-survey.ts'
import { converseEventOf, joinedBase64 } from '../../reading/converse-events.ts'
import { jsonOf, type ServerEvent } from '../../reading/server-event.ts'
import { readStopWord } from '../../reading/stop-words.ts'

/** See Spoke. What tools at Bedrock did is passed over: a client of another wire never asked for them. */
export function readAnswer(body: JsonObject): NeutralAnswer {
  const { content } = fieldsOf(fieldsOf(body['output'])['message'])
  const blocks = listOf(content).flatMap((block) => readBlock(fieldsOf(block)))
  const hasCalls = blocks.some(({ kind }) => kind === 'tool_call')
  return { choices: [{ blocks, stop: stopOf(body, hasCalls) }] }
}

function readBlock(block: JsonObject): AnswerBlock[] {
  const { text, toolUse, reasoningContent, citationsContent } = block
  if (typeof text === 'string') return [{ kind: 'text', text }]
  if (citationsContent !== undefined) {
    const said = listOf(fieldsOf(citationsContent)['content']).map((each) => textOf(fieldsOf(each)['text']))
    return [{ kind: 'text', text: said.join('') }]
  }
  if (reasoningContent !== undefined) return readReasoning(fieldsOf(reasoningContent))
  const call = fieldsOf(toolUse)
  if (toolUse === undefined || isServerTool(call)) return []
  const [id, name] = [textOf(call['toolUseId']), textOf(call['name'])]
  return [{ kind: 'tool_call', id, name, input: inputText(call['input']), isCustom: false }]
}

/** Whether Bedrock itself runs what is called, such as Nova's search. */
function isServerTool({ type }: JsonObject): boolean {
  return type === 'server_tool_use'
}

function readReasoning(reasoning: JsonObject): AnswerBlock[] {
  const { text, signature } = fieldsOf(reasoning['reasoningText'])
  const redacted = textOf(reasoning['redactedContent'] ?? reasoning['data'])
  if (redacted !== '') return [{ kind: 'reasoning', text: '', opaque: redactedOf(redacted) }]
  const opaque = signatureOf(textOf(signature))
  return [{ kind: 'reasoning', text: textOf(text), opaque }]
}

function signatureOf(data: string): ProviderSignature | null {
  return data === '' ? null : { vendor: 'bedrock', data }
}

function redactedOf(data: string): ProviderSignature {
  return { vendor: 'bedrock', data, isRedacted: true }
}

/** The stop of an answer, or of the event for its end. Claude tells the sequence that it met where it was asked to. */
function stopOf(fields: JsonObject, hasCalls: boolean): Stop {
  const extra = fieldsOf(fields['additionalModelResponseFields'])
  const sequence = extra['stop_sequence'] ?? fieldsOf(extra['delta'])['stop_sequence']
  return {
    reason: readStopWord(fields['stopReason'], hasCalls),
    sequence: typeof sequence === 'string' ? sequence : null,
  }
}

/** What a call is given. */
export const INPUT: FreeFields = new Map([['input', 'data']])

/** A content block that is under way. */
interface ReadContent {
  readonly block: number
  readonly kind: BeginOf['kind']
  hasText: boolean
  signature: string
  readonly redacted: string[]
}

/** More than any upstream has open at once. */
const OPEN_BLOCKS_LIMIT = 64
const TOO_MANY = 'The model sent more parallel tool calls than the gateway supports.'
const TOO_LONG = 'The model’s answer is longer than the gateway supports.'
const NOTHING: readonly StreamPart[] = []

/** Reads the stream of `ConverseStream`. Only calls begin with an event of their own; text and thoughts begin with a delta. */
export class ConversePartReader implements PartReader {
  /** Blocks by the `contentBlockIndex` of the wire; null: one that is passed over. */
  readonly #open = new Map<unknown, ReadContent | null>()
  #blocks = 0
  #hasCalls = false
  #hasStopped = false
  #keptBytes = 0
  hasCutCall = false

  read(event: ServerEvent): readonly StreamPart[] {
    const fields = fieldsOf(jsonOf(event))
    const index = fields['contentBlockIndex']
    switch (converseEventOf(event.name, (field) => Object.hasOwn(fields, field))) {
      case 'contentBlockStart':
        return this.#start(index, fieldsOf(fields['start']))
      case 'contentBlockDelta':
        return this.#hasStopped ? NOTHING : this.#delta(index, fieldsOf(fields['delta']))
      case 'contentBlockStop':
        return this.#stop(index)
      case 'messageStop':
        return this.#messageStop(fields)
      case 'messageStart':
      case 'metadata':
      case 'exception':
      case null:
        return NOTHING
    }
  }

  end(): readonly StreamPart[] {
    this.hasCutCall ||= this.#hasOpenCall
    return this.#endAll()
  }

  get #hasOpenCall(): boolean {
    return this.#open.values().some((open) => open?.kind === 'tool_call')
  }

  #endAll(): readonly StreamPart[] {
    return [...this.#open.keys()].flatMap((index) => this.#stop(index))
  }

  #start(index: unknown, start: JsonObject): readonly StreamPart[] {
    const before = this.#stop(index)
    const { toolUse } = start
    if (this.#hasStopped || toolUse === undefined) return before
    const call = fieldsOf(toolUse)
    if (isServerTool(call)) {
      this.#open.set(index, null)
      return before
    }
    this.#hasCalls = true
    const [id, name] = [textOf(call['toolUseId']), textOf(call['name'])]
    return [...before, ...this.#begin(index, { kind: 'tool_call', id, name, isCustom: false })]
  }

  #begin(index: unknown, of: BeginOf): readonly StreamPart[] {
    if (this.#open.size >= OPEN_BLOCKS_LIMIT) throw new Fault('upstream_malformed', TOO_MANY)
    const block = this.#blocks++
    this.#open.set(index, { block, kind: of.kind, hasText: false, signature: '', redacted: [] })
    return [{ kind: 'begin', block, choice: 0, of }]
  }

  #delta(index: unknown, { text, toolUse, reasoningContent }: JsonObject): readonly StreamPart[] {
    if (typeof text === 'string') return this.#text(index, 'text', text)
    if (reasoningContent !== undefined) return this.#reasoning(index, fieldsOf(reasoningContent))
    const open = this.#open.get(index)
    if (toolUse === undefined || open?.kind !== 'tool_call') return NOTHING
    return more(open, textOf(fieldsOf(toolUse)['input']))
  }

  #text(index: unknown, kind: 'text' | 'reasoning', text: string): readonly StreamPart[] {
    if (text === '' && this.#open.get(index)?.kind !== kind) return NOTHING
    const [begun, open] = this.#ofKind(index, kind)
    return open === null ? begun : [...begun, ...more(open, text)]
  }

  #reasoning(index: unknown, reasoning: JsonObject): readonly StreamPart[] {
    const redacted = textOf(reasoning['redactedContent'] ?? reasoning['data'])
    const signature = textOf(reasoning['signature'])
    const text = textOf(reasoning['text'])
    if (redacted === '' && signature === '') return this.#text(index, 'reasoning', text)
    const [begun, open] = this.#ofKind(index, 'reasoning')
    if (open === null) return begun
    this.#keptBytes += redacted.length + signature.length
    if (this.#keptBytes > KEPT_PARTS_LIMIT_BYTES) throw new Fault('upstream_malformed', TOO_LONG)
    if (redacted !== '') open.redacted.push(redacted)
    open.signature += signature
    return [...begun, ...more(open, text)]
  }

  /** The block of that index, begun where it is not open; one of another kind there has ended. Null: it is passed over. */
  #ofKind(index: unknown, kind: 'text' | 'reasoning'): readonly [readonly StreamPart[], ReadContent | null] {
    const open = this.#open.get(index)
    if (open === null || open?.kind === kind) return [NOTHING, open ?? null]
    const begun = [...this.#stop(index), ...this.#begin(index, { kind })]
    return [begun, this.#open.get(index) ?? null]
  }

  #stop(index: unknown): readonly StreamPart[] {
    const open = this.#open.get(index)
    if (open === undefined) return NOTHING
    this.#open.delete(index)
    if (open === null) return NOTHING
    const { block, kind, signature, redacted, hasText } = open
    const end: StreamPart = { kind: 'end', block }
    if (kind === 'tool_call') return hasText ? [end] : [{ kind: 'delta', block, text: '{}' }, end]
    const opaque = redacted.length > 0 && !hasText ? redactedOf(joinedBase64(redacted)) : signatureOf(signature)
    return opaque === null ? [end] : [{ kind: 'opaque', block, opaque }, end]
  }

  #messageStop(fields: JsonObject): readonly StreamPart[] {
    if (this.#hasStopped) return NOTHING
    const stop = stopOf(fields, this.#hasCalls)
    this.hasCutCall = this.#hasOpenCall && isUncut(stop)
    const parts = [...this.#endAll()]
    this.#hasStopped = true
    return [...parts, { kind: 'stop', choice: 0, stop }]
  }
}

function more(open: ReadContent, text: string): readonly StreamPart[] {
  if (text === '') return NOTHING
  open.hasText = true
  return [{ kind: 'delta', block: open.block, text }]
}
