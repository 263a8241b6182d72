import { fieldsOf, type JsonObject, textOf } from '../../json/json-object.ts'
import { type ReasoningField, textOfDetails } from './reasoning-detail.ts'
import { writeJson } from '../../json/exact-json.ts'
import type { TokenLogprob } from '../../hub/neutral-request.ts'
import type { Stop } from '../../hub/neutral-answer.ts'
import { readStopWord } from '../../reading/stop-words.ts'

/** What a message or a delta of a stream says, whatever the provider. Empty where it says nothing of the kind. */
interface MessageFields {
  readonly reasoning: string
  readonly field: ReasoningField
  readonly details: readonly unknown[]
  readonly text: string
  readonly refusal: string
}

/**
 * Reads a message or a delta. Reasoning is `reasoning_content` at DeepSeek, Kimi, Qwen and older vLLM, `reasoning` at
 * OpenRouter, Groq and newer vLLM, often under both names at once; Mistral has it as parts of the content.
 */
export function readSaid(message: Readonly<Record<string, unknown>>): MessageFields {
  const { content, refusal, reasoning_details: list } = message
  const details = Array.isArray(list) ? (list as readonly unknown[]) : NONE
  const parts = Array.isArray(content) ? readParts(content) : null
  const named = textOf(message['reasoning_content'])
  const plain = named === '' ? textOf(message['reasoning']) : ''
  const shown = named + plain
  return {
    reasoning: shown === '' ? (parts?.thinking ?? textOfDetails(details)) : shown,
    field: plain === '' ? 'reasoning_content' : 'reasoning',
    details,
    text: parts?.text ?? textOf(content),
    refusal: textOf(refusal),
  }
}

const NONE: readonly unknown[] = []

function readParts(content: readonly unknown[]): { text: string; thinking: string } {
  let said = ''
  let thinking = ''
  for (const part of content) {
    const { type, text: own, thinking: inner } = fieldsOf(part)
    if (type === 'text') said += textOf(own)
    if (type === 'thinking') thinking += Array.isArray(inner) ? readParts(inner).text : textOf(inner)
  }
  return { text: said, thinking }
}

/** An entry of `tool_calls`, of a message or a delta. Empty where it says nothing of the kind. */
export interface CallFields {
  readonly index: number | null
  readonly id: string
  readonly name: string
  readonly input: string
  readonly isCustom: boolean
  /** Google's thought signature for this call. */
  readonly signature: string
}

export function readCallFields(entry: unknown): CallFields {
  const { index, id, type, function: called, custom, extra_content: extra } = fieldsOf(entry)
  const isCustom = type === 'custom' || (called === undefined && custom !== undefined)
  const { name, arguments: json, input } = fieldsOf(isCustom ? custom : called)
  const { thought_signature: signature } = fieldsOf(fieldsOf(extra)['google'])
  return {
    index: indexOf(index),
    id: textOf(id),
    name: textOf(name),
    input: asJson(isCustom ? input : json),
    isCustom,
    signature: textOf(signature),
  }
}

/** Some write the number as a text. */
function indexOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : null
}

/** Some upstreams send the object itself instead of its text. */
function asJson(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? writeJson(() => value) : ''
}

/** The log probabilities of a choice's text (`logprobs.content`); none where it has none. */
export function readLogprobs(logprobs: unknown): readonly TokenLogprob[] {
  const { content } = fieldsOf(logprobs)
  if (!Array.isArray(content)) return []
  return content.flatMap((each: unknown) => {
    const one = readOne(each)
    const { top_logprobs: top } = fieldsOf(each)
    const others = Array.isArray(top) ? top.flatMap((other: unknown) => readOne(other) ?? []) : []
    return one === null ? [] : [{ ...one, top: others }]
  })
}

export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject {
  const content = logprobs.map(({ token, logprob, bytes, top }) => ({ token, logprob, bytes, top_logprobs: top }))
  return { content, refusal: null }
}

function readOne(value: unknown): Omit<TokenLogprob, 'top'> | null {
  const { token, logprob, bytes } = fieldsOf(value)
  if (typeof token !== 'string' || typeof logprob !== 'number') return null
  const isBytes = Array.isArray(bytes) && bytes.every((byte): byte is number => typeof byte === 'number')
  return { token, logprob, bytes: isBytes ? bytes : null }
}

/** What an answer held when it stopped. */
interface Held {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** Why it stopped. Upstreams that say `stop` behind calls of tools are common; OpenAI says it behind a refusal too. */
export function readFinishReason(word: unknown, { hasCalls, hasRefusal }: Held): Stop {
  const reason = readStopWord(word, hasCalls)
  if (reason === 'length' || reason === 'filtered' || reason === 'paused') return { reason, sequence: null }
  return { reason: hasCalls ? 'tool_calls' : hasRefusal ? 'filtered' : 'end', sequence: null }
}

/**
 * The `finish_reason` of a choice: `tool_calls` whenever calls are to be run, since some clients drop them otherwise, and
 * never behind calls that were cut. A refusal is an answer with words of its own, which OpenAI ends with `stop`.
 */
export function writeFinishReason({ reason }: Stop, { hasCalls, hasRefusal }: Held): string {
  switch (reason) {
    case 'length':
      return 'length'
    case 'filtered':
      return hasRefusal ? 'stop' : 'content_filter'
    case 'end':
    case 'stop_sequence':
    case 'tool_calls':
    case 'paused':
      return hasCalls ? 'tool_calls' : 'stop'
  }
}
