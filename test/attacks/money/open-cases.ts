/** Cases that still pass their bound: the long form plays them and fails, the short form leaves them out. */
import type { MoneyCase } from './money-case.ts'

export function titleOf({ family, wire, name }: Pick<MoneyCase, 'family' | 'wire' | 'name'>): string {
  return `${family}, ${wire}: ${name}`
}

export const OPEN_CASES: ReadonlySet<string> = new Set<string>([
  'hidden, chat: leaves a thinker at its first event',
  'hidden, chat: leaves after the last word of a thinker',
  'hidden, chat: leaves before the first byte of an answer to a long prompt',
  'hidden, gemini: leaves after the last word of a thinker',
  'hidden, gemini: masks the report of a search by a header that `Connection` names',
  'hidden, messages: leaves after 300 words with `max_tokens: 0`',
  'hidden, messages: leaves after the last word of a thinker',
  'hidden, responses: leaves a thinker at its first event',
  'hidden, responses: leaves after the last word of a thinker',
  'prices, chat: sends a long prompt',
  'prices, gemini: pays for searches',
  'prices, messages: pays for searches',
  'prices, messages: sends a long prompt, streamed',
  'prices, responses: makes the prompt long by an earlier answer',
  'prices, responses: pays for searches',
  'prices, responses: pays for searches of its files and for a container',
  'translated, chat: leaves after the last word of a thinker, at Google',
  'translated, chat: names a picture by its URL, to Anthropic',
  'translated, chat: names a picture by its URL, to Google',
  'translated, gemini: names a stored file, to OpenAI',
  'translated, messages: leaves after the last word of a thinker, at OpenAI',
  'translated, messages: names a document by its URL, to OpenAI',
  'translated, messages: names a picture by its URL, to OpenAI',
  'translated, responses: leaves after the last word of a thinker, at Anthropic',
  'translated, responses: names a picture by its URL, to Anthropic',
  'translated, responses: searches the web, to Anthropic',
])
