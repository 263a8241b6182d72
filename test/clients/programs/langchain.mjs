import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

const MAKERS = {
  'openai-chat': (task) => new ChatOpenAI(openai(task)),
  'openai-responses': (task) => new ChatOpenAI({ ...openai(task), useResponsesApi: true }),
  anthropic: ({ model, key, origin }) =>
    new ChatAnthropic({ model, apiKey: key, maxRetries: 0, maxTokens: 4_000, anthropicApiUrl: origin }),
}
const reader = tool((input) => readFile(input), { ...toolText, schema })

await doTasks(async (task, stream) => {
  const model = MAKERS[task.package](task).bindTools([reader])
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

function openai({ model, key, origin }) {
  return { model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${origin}/v1` } }
}
