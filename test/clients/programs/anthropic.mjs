import Anthropic from '@anthropic-ai/sdk'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

const cached = { cache_control: { type: 'ephemeral' } }

await doTasks(async (task, stream) => {
  const client = new Anthropic({ baseURL: task.origin, apiKey: task.key, maxRetries: 0 })
  const messages = [{ role: 'user', content: task.prompt }]
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const asked = {
      model: task.model,
      max_tokens: 4_000,
      system: [{ type: 'text', text: 'Be short.', ...cached }],
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      messages,
      tools: [{ ...toolText, input_schema: schema, ...cached }],
    }
    const answer = stream ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
    if (!(answer.usage.output_tokens > 0)) throw new Error('no usage')
    messages.push({ role: 'assistant', content: answer.content })
    const calls = answer.content.filter(({ type }) => type === 'tool_use')
    const reason = calls.length === 0 ? 'end_turn' : 'tool_use'
    if (answer.stop_reason !== reason) throw new Error(`stop_reason ${answer.stop_reason}`)
    if (calls.length === 0) return answer.content.find(({ type }) => type === 'text').text
    const results = calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: readFile(input) }))
    messages.push({ role: 'user', content: results })
  }
  throw new Error('no end')
})
