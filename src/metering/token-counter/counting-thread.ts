import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { textsOf } from './texts-of.ts'

/** The thread that counts tokens with OpenAI's `o200k_base` encoding, one question after the other. */
parentPort?.on('message', (question: { id: number; kind: 'text' | 'request'; text: string }) => {
  const tokens = question.kind === 'text' ? count(question.text) : countRequest(question.text)
  parentPort?.postMessage({ id: question.id, tokens })
})

function countRequest(body: string): number {
  const { texts, attachments } = textsOf(body)
  return texts.reduce((sum, text) => sum + count(text), 0) + attachments
}

function count(text: string): number {
  // Text such as "<|endoftext|>" is text here, whoever wrote it.
  return countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}
