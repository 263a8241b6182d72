import { parentPort } from 'node:worker_threads'
import { requestTokens } from './request-tokens.ts'
import { TextTokens } from './text-tokens.ts'
import { READY, type CountingMessage, type CountingReply } from './thread-message.ts'

/** Parts of the body that is coming. */
let parts: Uint8Array[] = []

/** The thread that counts tokens, one question after the other. */
parentPort?.on('message', (question: CountingMessage) => {
  if (question.kind === 'text') say(new TextTokens().of(question.text))
  else {
    parts.push(question.part)
    if (question.isLast) say(requestTokens(takenBody(), new TextTokens()))
  }
})
say(READY)

function say(message: CountingReply): void {
  parentPort?.postMessage(message)
}

function takenBody(): string {
  const body = Buffer.concat(parts).toString()
  parts = []
  return body
}
