import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

const MAKERS = {
  openai: (settings, model) => createOpenAI(settings)(model),
  'openai-chat': (settings, model) => createOpenAI(settings).chat(model),
  anthropic: (settings, model) => createAnthropic(settings)(model),
  'openai-compatible': (settings, model) =>
    createOpenAICompatible({ ...settings, name: 'tollgate', includeUsage: true })(model),
}
const { name, description } = toolText

await doTasks(async (task, stream) => {
  const asked = {
    model: MAKERS[task.package]({ baseURL: `${task.origin}/v1`, apiKey: task.key }, task.model),
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
