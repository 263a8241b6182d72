import { isObject } from './json.ts'
import type { Question, Tool } from './question.ts'
import { sampleValue } from './sample-value.ts'
import { countTokens, cutToTokens } from './tokens.ts'

/** What the simulated model writes, before any wire gives it a form. */
export interface Thought {
  readonly parts: readonly Part[]
  readonly ending: Ending
  /** The sequence that ended it, for `stop_sequence`. */
  readonly stopSequence: string | null
  readonly inputTokens: number
  /** Everything written, reasoning included. */
  readonly outputTokens: number
  readonly reasoningTokens: number
}

export type Part =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** `input`: arguments as JSON text, or free text for a custom tool. */
  | { readonly kind: 'tool_call'; readonly tool: Tool; readonly input: string }

/** `length`: the output limit was reached. */
export type Ending = 'stop' | 'stop_sequence' | 'tool_call' | 'length'

/** The whole answer to a question. The same question has the same answer. */
export function think(question: Question): Thought {
  const { parts, stopSequence } = cutAtStop(intention(question), question.stopSequences)
  const written: Part[] = []
  let outputTokens = 0
  let reasoningTokens = 0
  let isCut = false
  for (const part of parts) {
    const kept = cutToLimit(part, question.outputTokensLimit - outputTokens)
    isCut = kept === null || partText(kept) !== partText(part)
    if (kept === null) break
    written.push(kept)
    const tokens = partTokens(kept)
    outputTokens += tokens
    if (kept.kind === 'reasoning') reasoningTokens += tokens
  }
  const ending = isCut ? 'length' : endingOf(written.at(-1), stopSequence)
  return {
    parts: written,
    ending,
    stopSequence: ending === 'stop_sequence' ? stopSequence : null,
    inputTokens: question.inputTokens,
    outputTokens,
    reasoningTokens,
  }
}

/** The text, or the input of a tool call. */
export function partText(part: Part): string {
  return part.kind === 'tool_call' ? part.input : part.text
}

function partTokens(part: Part): number {
  return countTokens(partText(part)) + (part.kind === 'tool_call' ? countTokens(part.tool.name) : 0)
}

function endingOf(last: Part | undefined, stopSequence: string | null): Ending {
  if (last?.kind === 'tool_call') return 'tool_call'
  return stopSequence === null ? 'stop' : 'stop_sequence'
}

/** Null when nothing of it fits. Half a tool call is worth nothing, so one that does not fit is left out. */
function cutToLimit(part: Part, limit: number): Part | null {
  if (part.kind === 'tool_call') return partTokens(part) <= limit ? part : null
  const text = cutToTokens(part.text, limit)
  return text === '' ? null : { ...part, text }
}

/** Ends the text before the first stop sequence in it. Reasoning and tool calls are not looked at, as elsewhere. */
function cutAtStop(
  parts: readonly Part[],
  sequences: readonly string[],
): { parts: Part[]; stopSequence: string | null } {
  let stopSequence: string | null = null
  const cut = parts.map((part): Part => {
    if (part.kind !== 'text') return part
    const found = sequences
      .map((sequence) => ({ sequence, at: part.text.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .sort((left, right) => left.at - right.at)[0]
    if (found === undefined) return part
    stopSequence = found.sequence
    return { kind: 'text', text: part.text.slice(0, found.at) }
  })
  return { parts: cut.filter((part) => partText(part) !== ''), stopSequence }
}

function intention(question: Question): readonly Part[] {
  if (question.model === 'demo/reasoner') return reason(question)
  if (question.model === 'demo/tools') return useTool(question)
  const text = question.userText === '' ? 'Say something, and demo/echo repeats it.' : question.userText
  return [{ kind: 'text', text }]
}

function reason(question: Question): readonly Part[] {
  const words = question.userText.slice(0, 10_000).split(/\s+/).filter(Boolean)
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  const reasoning =
    `Let me see. The question has ${words.length} words, and the longest of them is ${quote(longest, 40)}. ` +
    'Nothing in it needs a calculation. I have no knowledge to look anything up in, so the honest answer is a short one.'
  const answer = `You asked: ${quote(question.userText, 200)}. I thought about it first, and this is the simulated answer.`
  const text = { kind: 'text', text: answer } as const
  return question.mayReason ? [{ kind: 'reasoning', text: reasoning }, text] : [text]
}

function useTool(question: Question): readonly Part[] {
  if (question.toolResult !== null) {
    return [{ kind: 'text', text: `The tool answered: ${quote(question.toolResult, 2000)}` }]
  }
  const tool = question.tools[0]
  if (tool === undefined) return [{ kind: 'text', text: HOW_TO_TRY_TOOLS }]
  return [{ kind: 'tool_call', tool, input: tool.kind === 'custom' ? 'demo' : sampleArguments(tool) }]
}

/** Arguments are an object even where a schema forgets to say so. */
function sampleArguments(tool: Tool): string {
  const value = sampleValue({ type: 'object', ...tool.schema })
  return JSON.stringify(isObject(value) ? value : {})
}

const HOW_TO_TRY_TOOLS =
  'demo/tools calls the first function among the tools of a request, and this request brought none. ' +
  'Send one with a name and a JSON schema of its parameters, then send its result back, and I will quote it.'

function quote(text: string, longest: number): string {
  return `“${text.length > longest ? `${text.slice(0, longest)}…` : text}”`
}
