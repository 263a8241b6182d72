import { parentPort } from 'node:worker_threads'
import { requestTokens } from './request-tokens.ts'
import { TextTokens } from './text-tokens.ts'
import { READY, type Question, type ThreadMessage } from './thread-message.ts'

/** The thread that counts tokens, one question after the other. */
parentPort?.on('message', (question: Question) => {
  say(answerTo(question))
})
say(READY)

function say(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

function answerTo(question: Question): number {
  const texts = new TextTokens()
  if (question.kind === 'text') return texts.of(question.text)
  const { buffer, byteOffset, byteLength } = question.body
  return requestTokens(Buffer.from(buffer, byteOffset, byteLength).toString(), texts)
}
