import { type JsonObject, listOf, objectOf, objectsIn, stringOf } from './json.ts'
import { Refusal } from './refusal.ts'

/** What a request asks of the simulated model, whichever wire it came on. */
export interface Question {
  readonly model: DemoModel
  /** The last piece of text that a user wrote; empty when there is none. */
  readonly userText: string
  /** What the tools answered, when the conversation ends with that; null otherwise. */
  readonly toolResult: string | null
  /** Those that may be called here, in the request's order. */
  readonly tools: readonly Tool[]
  /** False when the request turned reasoning off. */
  readonly mayReason: boolean
  readonly outputTokensLimit: number
  readonly stopSequences: readonly string[]
  readonly inputTokens: number
}

/** `custom` takes free text in place of JSON arguments. */
export interface Tool {
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly schema: JsonObject
  /** The named set of tools that it stands in, on the responses wire. */
  readonly namespace: string | null
}

export const DEMO_MODELS = ['demo/echo', 'demo/reasoner', 'demo/tools'] as const

export type DemoModel = (typeof DEMO_MODELS)[number]

/** What the simulator writes at most, whatever a request asks for: a whole answer is held in memory. */
const OUTPUT_TOKENS_LIMIT = 16_384

/** Throws Refusal (404) for a name that is none of the three. */
export function readModel(body: JsonObject): DemoModel {
  const name = body['model']
  const model = DEMO_MODELS.find((known) => known === name)
  if (model !== undefined) return model
  if (typeof name !== 'string') throw new Refusal('model is missing: it takes a string.', { param: 'model' })
  const known = DEMO_MODELS.join(', ')
  const message = `The model ${JSON.stringify(name.slice(0, 100))} does not exist here. There are ${known}.`
  throw new Refusal(message, { status: 404, param: 'model', code: 'model_not_found' })
}

/** The largest output limit that stands in one of these fields. Throws Refusal when one is not a positive integer. */
export function readOutputLimit(body: JsonObject, fields: readonly string[]): number {
  const limits = fields.flatMap((field) => {
    const limit = body[field] ?? null
    if (limit === null) return []
    if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return [limit]
    throw new Refusal(`${field} takes a whole number of 1 or more.`, { param: field })
  })
  return limits.length === 0 ? OUTPUT_TOKENS_LIMIT : Math.min(Math.max(...limits), OUTPUT_TOKENS_LIMIT)
}

/** The non-empty list in this field. Throws Refusal. */
export function readList(body: JsonObject, field: string): readonly JsonObject[] {
  const list = objectsIn(body[field])
  if (list.length > 0 && list.length === listOf(body[field]).length) return list
  throw new Refusal(`${field} takes a list of at least one object.`, { param: field })
}

/** One string or a list of them; those that are empty are left out. */
export function readStopSequences(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? [value] : listOf(value)
  return list.map(stringOf).filter((sequence) => sequence !== '')
}

/** The texts of a message's content: a string, or parts of which those with a `text` count. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return objectsIn(content)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '')
}

/** The last piece of text in messages of the role `user`. Clients put their own reminders before it, as pieces apart. */
export function lastUserText(messages: readonly JsonObject[]): string {
  const spoken = messages.findLast((message) => message['role'] === 'user' && textsOf(message['content']).length > 0)
  return textsOf(spoken?.['content']).at(-1) ?? ''
}

/** All of them, none (`none`), or the one that `tool_choice` names; `nameOf` finds the name in it. */
export function choosable(tools: readonly Tool[], choice: unknown, nameOf: (choice: JsonObject) => unknown): Tool[] {
  if (choice === 'none' || objectOf(choice)['type'] === 'none') return []
  const name = nameOf(objectOf(choice))
  return tools.filter((tool) => tool.name !== '' && (typeof name !== 'string' || tool.name === name))
}
