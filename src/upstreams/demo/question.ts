import type { NeutralRequest, Tool, Turn } from '../../protocols/chat-simulation.ts'
import { type ChatWire, familyOf } from '../../core/wire.ts'
import { countInputTokens, refuseLongInput } from './input-tokens.ts'
import type { JsonFields } from './json.ts'
import { Refusal } from './refusal.ts'

/** What a request asks of the simulated model, whichever wire it came on. */
export interface ChatQuestion {
  readonly model: DemoModel
  /** The last piece of text that a user wrote; empty when there is none. */
  readonly userText: string
  /** What the tools answered, when the conversation ends with that; null otherwise. */
  readonly toolResult: string | null
  /** The tools that may be called here, in the request's order. */
  readonly tools: readonly CallableTool[]
  /** False when the request turned reasoning off. */
  readonly mayReason: boolean
  readonly outputTokensLimit: number
  readonly stopSequences: readonly string[]
  readonly inputTokens: number
}

/** A tool that the client runs itself. Those of the other kind are run by the provider. */
export type CallableTool = Exclude<Tool, { kind: 'hosted' }>

const DEMO_MODELS = ['demo/echo', 'demo/reasoner', 'demo/tools'] as const

export type DemoModel = (typeof DEMO_MODELS)[number]

/** What the simulator writes at most, whatever a request asks for: a whole answer is held in memory. */
const OUTPUT_TOKENS_LIMIT = 16_384

/** Throws Refusal for a request that asks for what the simulated model cannot do. */
export function readQuestion(wire: ChatWire, asked: { model: DemoModel; request: NeutralRequest }): ChatQuestion {
  const { model, request } = asked
  const { settings, turns } = request
  if (settings.get('choices') !== null) {
    const field = settings.fieldOf('choices')
    throw new Refusal(`${field} takes 1 here: there is one answer to a question.`, { param: field })
  }
  const inputTokens = countInputTokens(request)
  refuseLongInput(inputTokens, familyOf(wire))
  const reasoning = settings.get('reasoning')
  return {
    model,
    userText: lastUserText(turns),
    toolResult: lastToolResult(turns),
    tools: callableTools(request),
    mayReason: reasoning?.effort !== 'none' && reasoning?.budgetTokens !== 0,
    outputTokensLimit: readOutputLimit(settings.get('maxOutputTokens'), settings.fieldOf('maxOutputTokens')),
    stopSequences: (settings.get('stop') ?? []).filter((sequence) => sequence !== ''),
    inputTokens,
  }
}

/** Throws Refusal (404) for a name that is none of the three. */
export function readModel(body: JsonFields): DemoModel {
  const name = body['model']
  const model = DEMO_MODELS.find((known) => known === name)
  if (model !== undefined) return model
  if (typeof name !== 'string') throw new Refusal('model is missing: it takes a string.', { param: 'model' })
  const known = DEMO_MODELS.join(', ')
  const message = `The model ${JSON.stringify(name.slice(0, 100))} does not exist here. There are ${known}.`
  throw new Refusal(message, { status: 404, param: 'model', code: 'model_not_found' })
}

/** The limit, bounded by the simulator's own. Throws Refusal, naming `field`, when it is not a positive integer. */
export function readOutputLimit(limit: unknown, field: string): number {
  return Math.min(readWholeNumber(limit, field, { usual: OUTPUT_TOKENS_LIMIT }), OUTPUT_TOKENS_LIMIT)
}

/** A number from 1 to `most`; `usual` where none is given. Throws Refusal, naming `field`, for anything else. */
export function readWholeNumber(
  value: unknown,
  field: string,
  { usual, most }: { readonly usual: number; readonly most?: number },
): number {
  if (value === null || value === undefined) return usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= (most ?? Infinity)) return value
  const range = most === undefined ? 'of 1 or more' : `from 1 to ${most}`
  throw new Refusal(`${field} takes a whole number ${range}.`, { param: field })
}

/** Clients put their own reminders before it, as pieces apart. */
function lastUserText(turns: readonly Turn[]): string {
  const texts = turns.flatMap(({ role, parts }) => {
    return role === 'user' ? parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])) : []
  })
  return texts.at(-1) ?? ''
}

/** The texts of the results of tools that a conversation ends with; null when it ends otherwise. */
export function lastToolResult(turns: readonly Turn[]): string | null {
  const results = turns.map(toolResultsIn)
  const trailing = results.slice(results.findLastIndex((texts) => texts.length === 0) + 1)
  return trailing.length === 0 ? null : trailing.flat().join('\n')
}

/** The text of each result in a turn. */
function toolResultsIn({ role, parts }: Turn): readonly string[] {
  if (role !== 'user') return []
  return parts.flatMap((part) => {
    if (part.kind !== 'tool_result') return []
    return [part.parts.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('\n')]
  })
}

/** All of them, none, or those that the choice names. */
function callableTools({ tools, toolChoice }: NeutralRequest): readonly CallableTool[] {
  if (toolChoice?.kind === 'none') return []
  return tools.flatMap((tool) => {
    if (tool.kind === 'hosted' || tool.name === '') return []
    if (toolChoice?.kind === 'one' && tool.name !== toolChoice.name) return []
    return toolChoice?.kind === 'some' && !toolChoice.names.includes(tool.name) ? [] : [tool]
  })
}
