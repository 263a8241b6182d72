import OpenAI from 'openai'
import { doTasks, MOST_TURNS, readFile, schema, toolText } from './task.mjs'

await doTasks(async (task, stream) => {
  const client = new OpenAI({ baseURL: `${task.origin}/v1`, apiKey: task.key, maxRetries: 0 })
  const input = [{ role: 'user', content: task.prompt }]
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const asked = {
      model: task.model,
      instructions: 'Be short.',
      input,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', ...toolText, parameters: schema, strict: true }],
    }
    const answer = stream ? await client.responses.stream(asked).finalResponse() : await client.responses.create(asked)
    if (answer.status !== 'completed') throw new Error(`status ${answer.status}`)
    if (!(answer.usage?.total_tokens > 0)) throw new Error('no usage')
    input.push(...answer.output)
    const calls = answer.output.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return answer.output_text
    for (const call of calls) {
      const output = readFile(JSON.parse(call.arguments))
      input.push({ type: 'function_call_output', call_id: call.call_id, output })
    }
  }
  throw new Error('no end')
})
