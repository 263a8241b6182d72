/** Requests shaped like those of real clients. */

const CODE = `  if (response.headers["content-type"] !== "text/event-stream") {\n    throw new Error(\`unexpected \${status}\`)\n  }\n`

export function smallBody(): Buffer {
  const system = { role: 'system', content: 'You are a helpful assistant. '.repeat(12) }
  const user = { role: 'user', content: 'Write a haiku about the sea, and say "thank you".\n'.repeat(9) }
  return json({ model: 'gpt-5.5', messages: [system, user], temperature: 0.7, max_tokens: 512, stream: true })
}

/** A coding agent after 40 tool calls: system text, tool schemas, files read and their results. */
export function agentBody(): Buffer {
  const properties = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [
      `parameter_${i}`,
      { type: 'string', description: `What parameter ${i} does` },
    ]),
  )
  const tools = Array.from({ length: 18 }, (_, i) => ({
    name: `tool_${i}`,
    description: 'Reads "files" and such.\n\nUsage:\n- give an absolute path\n'.repeat(6),
    input_schema: { type: 'object', properties, required: ['parameter_0'], additionalProperties: false },
  }))
  const messages = Array.from({ length: 40 }, (_, i) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'tool_1', input: { path: `/src/${i}.ts` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: CODE.repeat(30) }] },
  ]).flat()
  const system = [{ type: 'text', text: 'You are a coding agent. Be brief.\n'.repeat(400) }]
  return json({ model: 'claude-opus-5-5', max_tokens: 32_000, system, messages, tools, stream: true })
}

export function imageBody(): Buffer {
  const picture = Buffer.from(Uint8Array.from({ length: 750_000 }, (_, i) => (i * 7919) >> 3)).toString('base64')
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }]
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content }], stream: true })
}

/** A tool result that is JSON itself: an escaped quote every few bytes, the worst case of the scan. */
export function quotedBody(): Buffer {
  const rows = JSON.stringify(Array.from({ length: 6_000 }, (_, i) => ({ id: `a${i}`, name: `n${i}` })))
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content: rows }], stream: true })
}

export function chineseBody(): Buffer {
  const content = '今天天气很好，我们去公园散步吧。请帮我写一段代码。\n'.repeat(2_700)
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content }], stream: true })
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
