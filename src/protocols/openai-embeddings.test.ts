import { expect, test } from 'vitest'
import { openaiEmbeddings } from './openai-embeddings.ts'

test('embeddings have no output, and know it when they report their input', () => {
  const answer = openaiEmbeddings.readAnswer(
    Buffer.from('{"data":[{"embedding":[0.1]}],"usage":{"prompt_tokens":8,"total_tokens":8}}'),
  )
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: 8, output: 0, reasoning: null } })
  if (answer.kind !== 'malformed') expect(answer.producedText()).toBe('')
})
