import type { AnswerBlock, SimulatedAnswer } from '../../protocols/chat-simulation.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { isObject } from './json.ts'
import type { CallableTool, ChatQuestion } from './question.ts'
import { sampleValue } from './sample-value.ts'
import { countTokens, cutToTokens } from './tokens.ts'

/**
 * The whole answer to a question, and what it used. The same question has the same answer, but for the id of a call, which
 * is made of the request's `serial`.
 */
export function think(question: ChatQuestion, serial: string): SimulatedAnswer {
  const { blocks, stopSequence } = cutAtStop(intention(question, serial), question.stopSequences)
  const written: AnswerBlock[] = []
  let output = 0
  let reasoning = 0
  let isCut = false
  for (const block of blocks) {
    const kept = cutToLimit(block, question.outputTokensLimit - output)
    isCut = kept === null || textOf(kept) !== textOf(block)
    if (kept === null) break
    written.push(kept)
    const tokens = tokensOf(kept)
    output += tokens
    if (kept.kind === 'reasoning') reasoning += tokens
  }
  const stop = isCut ? ({ reason: 'length', sequence: null } as const) : stopOf(written.at(-1), stopSequence)
  return {
    answer: { choices: [{ blocks: written, stop }] },
    usage: { ...NO_TOKENS, input: question.inputTokens, cacheRead: 0, output, reasoning },
  }
}

type AnswerStop = SimulatedAnswer['answer']['choices'][number]['stop']

function stopOf(last: AnswerBlock | undefined, sequence: string | null): AnswerStop {
  if (last?.kind === 'tool_call') return { reason: 'tool_calls', sequence: null }
  return { reason: sequence === null ? 'end' : 'stop_sequence', sequence }
}

/** The text, or the input of a tool call. */
function textOf(block: AnswerBlock): string {
  return block.kind === 'tool_call' ? block.input : block.text
}

function tokensOf(block: AnswerBlock): number {
  return countTokens(textOf(block)) + (block.kind === 'tool_call' ? countTokens(block.name) : 0)
}

/** Null when nothing of it fits. Half a tool call is worth nothing, so one that does not fit is left out. */
function cutToLimit(block: AnswerBlock, limit: number): AnswerBlock | null {
  if (block.kind === 'tool_call') return tokensOf(block) <= limit ? block : null
  const text = cutToTokens(block.text, limit)
  return text === '' ? null : { ...block, text }
}

/** Ends the text before the first stop sequence in it. Reasoning and tool calls are not looked at, as elsewhere. */
function cutAtStop(
  blocks: readonly AnswerBlock[],
  sequences: readonly string[],
): { blocks: AnswerBlock[]; stopSequence: string | null } {
  let stopSequence: string | null = null
  const cut = blocks.map((block): AnswerBlock => {
    if (block.kind !== 'text') return block
    const found = sequences
      .map((sequence) => ({ sequence, at: block.text.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .sort((left, right) => left.at - right.at)[0]
    if (found === undefined) return block
    stopSequence = found.sequence
    return { kind: 'text', text: block.text.slice(0, found.at) }
  })
  return { blocks: cut.filter((block) => textOf(block) !== ''), stopSequence }
}

function intention(question: ChatQuestion, serial: string): readonly AnswerBlock[] {
  if (question.model === 'demo/reasoner') return reason(question)
  if (question.model === 'demo/tools') return [useTool(question, serial)]
  const text = question.userText === '' ? 'Say something, and demo/echo repeats it.' : question.userText
  return [{ kind: 'text', text }]
}

function reason(question: ChatQuestion): readonly AnswerBlock[] {
  const words = question.userText.slice(0, 10_000).split(/\s+/).filter(Boolean)
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  const reasoning =
    `Let me see. The question has ${words.length} words, and the longest of them is ${quote(longest, 40)}. ` +
    'Nothing in it needs a calculation. I have no knowledge to look anything up in, so the honest answer is a short one.'
  const answer = `You asked: ${quote(question.userText, 200)}. I thought about it first, and this is the simulated answer.`
  const text = { kind: 'text', text: answer } as const
  return question.mayReason ? [{ kind: 'reasoning', text: reasoning, opaque: null }, text] : [text]
}

function useTool({ toolResult, tools }: ChatQuestion, serial: string): AnswerBlock {
  if (toolResult !== null) return { kind: 'text', text: `The tool answered: ${quote(toolResult, 2000)}` }
  const tool = tools[0]
  if (tool === undefined) return { kind: 'text', text: HOW_TO_TRY_TOOLS }
  const isCustom = tool.kind === 'custom'
  return { kind: 'tool_call', id: `call_${serial}`, name: tool.name, input: sampleInput(tool), isCustom }
}

/** Free text for a custom tool. Arguments are an object even where a schema forgets to say so. */
function sampleInput(tool: CallableTool): string {
  if (tool.kind === 'custom') return 'demo'
  const value = sampleValue({ type: 'object', ...tool.schema })
  return JSON.stringify(isObject(value) ? value : {})
}

const HOW_TO_TRY_TOOLS =
  'demo/tools calls the first function among the tools of a request, and this request brought none. ' +
  'Send one with a name and a JSON schema of its parameters, then send its result back, and I will quote it.'

function quote(text: string, longest: number): string {
  return `“${text.length > longest ? `${text.slice(0, longest)}…` : text}”`
}
