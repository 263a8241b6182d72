import { isObject, type JsonObject } from '../json/json-object.ts'
import { jsonOf, type ServerEvent } from '../reading/server-event.ts'
import type { AnswerForms } from './answer-forms.ts'
import { mergeDelta } from './merge-delta.ts'
import { eventOf, isGiven, rawEntries, rawList, rawObject } from './raw-json.ts'

/** Chat completions: chunks with deltas, and messages. */
export const chatForms: AnswerForms = {
  isWholeEvent: (event) => /"message":\s*\{/.test(event) && /"choices":/.test(event) && !/"delta":/.test(event),
  toEvents,
  toWhole,
}

const CHUNK: readonly [string, string] = ['object', '"chat.completion.chunk"']

function toEvents(body: Buffer): Buffer {
  const { choices, usage, ...same } = Object.fromEntries(rawEntries(body))
  const chunk = (fields: readonly (readonly [string, string])[]): Buffer =>
    eventOf(rawObject([...Object.entries(same).filter(([key]) => key !== 'object'), CHUNK, ...fields]))
  const events = rawList(choices).flatMap((choice, position) => {
    const { said, end } = deltasOf(choice, position)
    return [chunk([['choices', `[${said}]`]]), chunk([['choices', `[${end}]`]])]
  })
  const last = isGiven(usage)
    ? [
        chunk([
          ['choices', '[]'],
          ['usage', usage],
        ]),
      ]
    : []
  return Buffer.concat([...events, ...last, DONE])
}

const DONE = Buffer.from('data: [DONE]\n\n')

/** All that a choice says, and its end. */
function deltasOf(choice: Buffer, position: number): { readonly said: string; readonly end: string } {
  const {
    index = String(position),
    message,
    delta,
    finish_reason,
    logprobs = 'null',
    ...more
  } = Object.fromEntries(rawEntries(choice))
  const fields = rawEntries(message ?? delta)
  const calls = rawList(fields.get('tool_calls'))
  const indexed = calls.map((call, at) => rawObject([['index', String(at)], ...rawEntries(call)]))
  const written = new Map([['role', '"assistant"'], ...fields])
  for (const [key, raw] of fields) if (raw === 'null' && key !== 'content') written.delete(key)
  written.delete('tool_calls')
  if (indexed.length > 0) written.set('tool_calls', `[${indexed.join(',')}]`)
  const reason = isGiven(finish_reason) ? finish_reason : calls.length > 0 ? '"tool_calls"' : '"stop"'
  return {
    said: rawObject([
      ['index', index],
      ['delta', rawObject(written)],
      ['logprobs', logprobs],
      ['finish_reason', 'null'],
    ]),
    end: rawObject([
      ['index', index],
      ['delta', '{}'],
      ...Object.entries(more),
      ['logprobs', 'null'],
      ['finish_reason', reason],
    ]),
  }
}

/** A choice as far as it has come. */
interface CollectedChoice {
  readonly message: Record<string, unknown>
  readonly more: Record<string, unknown>
}

function toWhole(events: readonly ServerEvent[]): Buffer | null {
  const same: Record<string, unknown> = {}
  const choices = new Map<number, CollectedChoice>()
  for (const event of events) {
    const chunk = jsonOf(event)
    if (!isObject(chunk)) continue
    const { choices: said, ...more } = chunk
    takeGiven(same, more)
    for (const [position, choice] of (Array.isArray(said) ? (said as readonly unknown[]) : []).entries()) {
      if (isObject(choice)) takeChoice(choices, choice, position)
    }
  }
  if (choices.size === 0) return null
  const inOrder = [...choices].sort(([one], [other]) => one - other)
  const written = inOrder.map(([index, { message, more }]) => ({ index, message: wholeMessage(message), ...more }))
  return Buffer.from(JSON.stringify({ ...same, object: 'chat.completion', choices: written }))
}

/** More choices than a request may ask for. */
const CHOICES_LIMIT = 128

function takeChoice(choices: Map<number, CollectedChoice>, said: JsonObject, position: number): void {
  const { index = position, delta, message, logprobs, ...more } = said
  if (typeof index !== 'number') return
  const choice = choices.get(index) ?? { message: {}, more: { logprobs: null, finish_reason: null } }
  if (choices.size >= CHOICES_LIMIT && !choices.has(index)) return
  choices.set(index, choice)
  if (isObject(delta)) mergeDelta(choice.message, delta)
  // Behind deltas a message says all of them once more.
  else if (isObject(message) && Object.keys(choice.message).length === 0) mergeDelta(choice.message, message)
  if (isObject(logprobs)) mergeDelta(choice.more, { logprobs })
  takeGiven(choice.more, more)
}

/** Takes what is not null: the last word counts. */
function takeGiven(into: Record<string, unknown>, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    if (key !== '__proto__' && (value !== null || !(key in into))) into[key] = value
  }
}

/** Whole calls are in their order, without an index. */
function wholeMessage(message: Record<string, unknown>): JsonObject {
  const { tool_calls: calls, ...more } = message
  const said = { role: 'assistant', content: null, ...more }
  if (!Array.isArray(calls) || calls.length === 0) return said
  const entries = (calls as readonly unknown[]).filter(isObject)
  const inOrder = entries.toSorted((one, other) => Number(one['index'] ?? 0) - Number(other['index'] ?? 0))
  return { ...said, tool_calls: inOrder.map(wholeCall) }
}

function wholeCall(call: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ type: 'function', ...call }).filter(([key]) => key !== 'index'))
}
