import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { askBoth, MOST_TURNS, readFile, schema, task, toolText } from './task.mjs'

const settings = { baseURL: `${task.origin}/v1`, apiKey: task.key }
const MAKERS = {
  openai: () => createOpenAI(settings)(task.model),
  'openai-chat': () => createOpenAI(settings).chat(task.model),
  anthropic: () => createAnthropic(settings)(task.model),
  'openai-compatible': () => createOpenAICompatible({ ...settings, name: 'tollgate', includeUsage: true })(task.model),
}
const model = MAKERS[process.env.PACKAGE]()
const { name, description } = toolText

await askBoth(async (stream) => {
  const asked = {
    model,
    instructions: 'Be short.',
    prompt: task.prompt,
    maxRetries: 0,
    tools: { [name]: tool({ description, inputSchema: jsonSchema(schema), execute: (input) => readFile(input) }) },
    stopWhen: isStepCount(MOST_TURNS),
  }
  if (!stream) return (await generateText(asked)).text
  let failure
  const answer = streamText({ ...asked, onError: ({ error }) => (failure = error) })
  let text = ''
  for await (const piece of answer.textStream) text += piece
  if (failure !== undefined) throw failure
  return text
})
