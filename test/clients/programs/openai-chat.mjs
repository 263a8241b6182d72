import OpenAI from 'openai'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

await doTasks(async (task, stream) => {
  const client = new OpenAI({ baseURL: `${task.origin}/v1`, apiKey: task.key, maxRetries: 0 })
  const messages = [
    { role: 'developer', content: 'Be short.' },
    { role: 'user', content: task.prompt },
  ]
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const asked = {
      model: task.model,
      messages,
      reasoning_effort: 'low',
      max_completion_tokens: 4_000,
      tools: [{ type: 'function', function: { ...toolText, parameters: schema, strict: true } }],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    }
    const { choices, usage } = stream
      ? await client.chat.completions
          .stream({ ...asked, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(asked)
    if (!(usage?.total_tokens > 0)) throw new Error('no usage')
    const [{ message, finish_reason: reason }] = choices
    messages.push(message)
    const calls = message.tool_calls ?? []
    if (reason !== (calls.length === 0 ? 'stop' : 'tool_calls')) throw new Error(`finish_reason ${reason}`)
    if (calls.length === 0) return message.content
    for (const { id, function: called } of calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: readFile(JSON.parse(called.arguments)) })
    }
  }
  throw new Error('no end')
})
