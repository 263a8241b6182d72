import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { askBoth, MOST_TURNS, readFile, schema, task, toolText } from './task.mjs'

const openai = { model: task.model, apiKey: task.key, maxRetries: 0, configuration: { baseURL: `${task.origin}/v1` } }
const MAKERS = {
  'openai-chat': () => new ChatOpenAI(openai),
  'openai-responses': () => new ChatOpenAI({ ...openai, useResponsesApi: true }),
  anthropic: () =>
    new ChatAnthropic({
      model: task.model,
      apiKey: task.key,
      maxRetries: 0,
      maxTokens: 4_000,
      anthropicApiUrl: task.origin,
    }),
}
const reader = tool((input) => readFile(input), { ...toolText, schema })
const model = MAKERS[process.env.PACKAGE]().bindTools([reader])

await askBoth(async (stream) => {
  const messages = [new SystemMessage('Be short.'), new HumanMessage(task.prompt)]
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    let answer
    if (stream) for await (const chunk of await model.stream(messages)) answer = answer?.concat(chunk) ?? chunk
    else answer = await model.invoke(messages)
    messages.push(answer)
    const calls = answer.tool_calls ?? []
    if (calls.length === 0) return answer.text
    for (const { id, args } of calls) {
      messages.push(new ToolMessage({ tool_call_id: id, content: await reader.invoke(args) }))
    }
  }
  throw new Error('no end')
})
