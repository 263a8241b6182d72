import { type JsonFields, listOf, objectOf } from './json.ts'
import { readOutputLimit } from './question.ts'
import { Refusal } from './refusal.ts'
import { countTokens, cutToTokens, wordsOf } from './tokens.ts'
import { type WireAnswer, type WireCall, jsonAnswer, streamAnswer } from './wire-answer.ts'

/** `POST /completions`: each prompt is written once more. */
export function answerCompletions(call: WireCall): WireAnswer {
  const { body } = call
  if ((body['n'] ?? 1) !== 1) throw new Refusal('n takes 1 here: there is one answer to a prompt.', { param: 'n' })
  const limit = readOutputLimit(body['max_tokens'], 'max_tokens')
  const written = readPrompts(body['prompt']).map((prompt): Completion => {
    const text = cutToTokens(prompt, limit)
    return { prompt, text, reason: text === prompt ? 'stop' : 'length' }
  })
  return body['stream'] === true ? streamAnswer(chunks(call, written)) : jsonAnswer(whole(call, written))
}

interface Completion {
  readonly prompt: string
  readonly text: string
  readonly reason: 'stop' | 'length'
}

const PROMPTS_LIMIT = 64

function readPrompts(prompt: unknown): readonly string[] {
  const prompts = typeof prompt === 'string' ? [prompt] : listOf(prompt)
  const texts = prompts.filter((each) => typeof each === 'string')
  if (texts.length > 0 && texts.length === prompts.length && texts.length <= PROMPTS_LIMIT) return texts
  throw new Refusal(`prompt takes a text or a list of up to ${PROMPTS_LIMIT} texts.`, { param: 'prompt' })
}

function head(call: WireCall): JsonFields {
  const { model } = call.body
  return { id: `cmpl-${call.serial}`, object: 'text_completion', created: call.nowSeconds(), model }
}

function choice(index: number, text: string, reason: Completion['reason'] | null): JsonFields {
  return { text, index, logprobs: null, finish_reason: reason }
}

function whole(call: WireCall, written: readonly Completion[]): JsonFields {
  const choices = written.map(({ text, reason }, index) => choice(index, text, reason))
  return { ...head(call), choices, usage: usage(written) }
}

function* chunks(call: WireCall, written: readonly Completion[]): Generator<string> {
  const wantsUsage = objectOf(call.body['stream_options'])['include_usage'] === true
  const write = (choices: readonly JsonFields[], used: JsonFields | null = null): string =>
    `data: ${JSON.stringify({ ...head(call), choices, ...(wantsUsage ? { usage: used } : {}) })}\n\n`
  for (const [index, { text, reason }] of written.entries()) {
    for (const word of wordsOf(text)) yield write([choice(index, word, null)])
    yield write([choice(index, '', reason)])
  }
  yield `${wantsUsage ? write([], usage(written)) : ''}data: [DONE]\n\n`
}

function usage(written: readonly Completion[]): JsonFields {
  const sum = (count: (each: Completion) => number): number => written.reduce((total, each) => total + count(each), 0)
  const [input, output] = [sum(({ prompt }) => countTokens(prompt)), sum(({ text }) => countTokens(text))]
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
