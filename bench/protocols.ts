/**
 * CPU time of the protocols room, per request and per streamed chunk, on bodies shaped like those of real clients.
 * Run with `node bench/protocols.ts`. Prints the best of many rounds, as other work on the machine only adds.
 */
import { NO_TOKENS } from '../src/core/tokens.ts'
import type { Wire } from '../src/core/wire.ts'
import { protocolOf } from '../src/protocols/protocol-of.ts'

const CODE = `  if (response.headers["content-type"] !== "text/event-stream") {\n    throw new Error(\`unexpected \${status}\`)\n  }\n`

function smallBody(): Buffer {
  const system = { role: 'system', content: 'You are a helpful assistant. '.repeat(12) }
  const user = { role: 'user', content: 'Write a haiku about the sea, and say "thank you".\n'.repeat(9) }
  return json({ model: 'gpt-5.5', messages: [system, user], temperature: 0.7, max_tokens: 512, stream: true })
}

/** A coding agent after 40 tool calls: system text, tool schemas, files read and their results. */
function agentBody(): Buffer {
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

function imageBody(): Buffer {
  const picture = Buffer.from(Uint8Array.from({ length: 750_000 }, (_, i) => (i * 7919) >> 3)).toString('base64')
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }]
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content }], stream: true })
}

/** A tool result that is JSON itself: an escaped quote every few bytes, the worst case of the scan. */
function quotedBody(): Buffer {
  const rows = JSON.stringify(Array.from({ length: 6_000 }, (_, i) => ({ id: `a${i}`, name: `n${i}` })))
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content: rows }], stream: true })
}

function chineseBody(): Buffer {
  const content = '今天天气很好，我们去公园散步吧。请帮我写一段代码。\n'.repeat(2_700)
  return json({ model: 'gpt-5.5', messages: [{ role: 'user', content }], stream: true })
}

const CHUNKS: Partial<Record<Wire, string>> = {
  'openai-chat':
    'data: {"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.5","service_tier":"default","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null}\n\n',
  'openai-responses':
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":14,"item_id":"msg_67c9fdcf37fc8190ba82116e33fb28c5","output_index":0,"content_index":0,"delta":" word","logprobs":[],"obfuscation":"Xy12hAA31"}\n\n',
  'anthropic-messages':
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" a few words at once"}          }\n\n',
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Microseconds of one call, the best of `rounds` rounds. */
function best(calls: number, run: () => unknown): number {
  let shortest = Infinity
  for (let round = 0; round < 40; round++) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) run()
    shortest = Math.min(shortest, Number(process.hrtime.bigint() - start) / calls / 1000)
  }
  return shortest
}

function row(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(34) : String(cell).padStart(14))).join(''))
}

row(['request', 'bytes', 'scan µs', 'JSON.parse µs', 'rewrite µs', 'est. tokens'])
const chat = protocolOf('openai-chat')
const bodies = {
  small: smallBody(),
  agent: agentBody(),
  image: imageBody(),
  'quotes (worst)': quotedBody(),
  chinese: chineseBody(),
}
for (const [name, body] of Object.entries(bodies)) {
  const calls = Math.ceil(200_000 / body.length)
  const head = chat.readRequest(body)
  const scan = best(calls, () => chat.readRequest(body))
  const parse = best(calls, () => JSON.parse(body.toString()) as unknown)
  const rewrite = best(calls, () => chat.rewriteRequest(body, head, { model: 'other', askForUsage: true }))
  row([name, body.length, scan.toFixed(1), parse.toFixed(1), rewrite.toFixed(1), head.estimatedInputTokens])
}

console.log()
row(['stream, one event per chunk', 'bytes', 'push µs', '+ text µs', 'JSON.parse µs'])
for (const [wire, event] of Object.entries(CHUNKS)) {
  const protocol = protocolOf(wire as Wire)
  const chunks = Array.from({ length: 1_000 }, (_, i) => Buffer.from(event.replace(' word', ` word${i}`)))
  const stream = (read: boolean): number => {
    const reader = protocol.openStream({ dropUsageChunk: true })
    for (const chunk of chunks) reader.push(chunk)
    return read ? reader.producedBytes : Object.keys(NO_TOKENS).length
  }
  const push = best(1, () => stream(false)) / chunks.length
  const text = best(1, () => stream(true)) / chunks.length
  const data = String(/^data: (.*)$/m.exec(event)?.[1])
  row([wire, event.length, push.toFixed(2), text.toFixed(2), best(1_000, () => JSON.parse(data) as unknown).toFixed(2)])
}

console.log()
row(['stream, cut elsewhere', 'bytes', 'µs per event'])
for (const size of [5, 100, 1_460, 16_384]) {
  const bytes = Buffer.from(String(CHUNKS['openai-chat']).repeat(1_000))
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  const run = (): void => {
    const reader = chat.openStream({ dropUsageChunk: true })
    for (const chunk of chunks) reader.push(chunk)
  }
  row([`chunks of ${size}`, bytes.length, (best(1, run) / 1_000).toFixed(2)])
}
