import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { textsOf } from './texts-of.ts'
import { READY, type ThreadMessage } from './thread-message.ts'

/** The thread that counts tokens with OpenAI's `o200k_base` encoding, one question after the other. */
parentPort?.on('message', (question: { kind: 'text' | 'request'; text: string }) => {
  say(question.kind === 'text' ? count(question.text) : countRequest(question.text))
})
say(READY)

function say(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

function countRequest(body: string): number {
  const { texts, attachments } = textsOf(body)
  return texts.reduce((sum, text) => sum + count(text), 0) + attachments
}

/** The encoder takes time by the square of a run without a border between words: 32 s for 100 KB of blanks. */
const LONG_RUN = /\s{400}|\S{400}/g

/** Long runs are counted in pieces, each of which may come out a token too many. */
function count(text: string): number {
  let tokens = 0
  let from = 0
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    tokens += encoded(text.slice(from, index)) + encoded(run)
    from = index + run.length
  }
  return tokens + encoded(text.slice(from))
}

function encoded(text: string): number {
  // Text such as "<|endoftext|>" is text here, also when a client writes it.
  return countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}
