/**
 * `npm run bench -- run --only protocols`: what the protocols room takes to read a request and a streamed chunk, on bodies
 * shaped like those of real clients, and what it takes to find who calls. Prints the best of many rounds, as other work on the machine only adds.
 */
import { NO_TOKENS } from '../../src/core/tokens.ts'
import type { ChatWire } from '../../src/core/wire.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { readFlags } from '../command.ts'
import { callerCases } from './callers.ts'
import { agentBody, chineseBody, imageBody, quotedBody, smallBody } from './real-bodies.ts'

const CHUNKS: Partial<Record<ChatWire, string>> = {
  'openai-chat':
    'data: {"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.5","service_tier":"default","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null}\n\n',
  'openai-responses':
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":14,"item_id":"msg_67c9fdcf37fc8190ba82116e33fb28c5","output_index":0,"content_index":0,"delta":" word","logprobs":[],"obfuscation":"Xy12hAA31"}\n\n',
  'anthropic-messages':
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" a few words at once"}          }\n\n',
}

const chat = protocolOf('openai-chat')

export async function measureProtocols(argv: readonly string[]): Promise<true> {
  readFlags(argv, {})
  measureRequests()
  measureStreams()
  measureCuts()
  await measureCallers()
  return true
}

async function measureCallers(): Promise<void> {
  console.log()
  row(['who calls', 'µs'])
  for (const [name, call] of Object.entries(await callerCases())) row([name, best(5_000, call).toFixed(2)])
}

function measureRequests(): void {
  row(['request', 'bytes', 'scan µs', 'JSON.parse µs', 'rewrite µs', 'est. tokens'])
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
}

function measureStreams(): void {
  console.log()
  row(['stream, one event per chunk', 'bytes', 'push µs', '+ text µs', 'JSON.parse µs'])
  for (const [wire, event] of Object.entries(CHUNKS)) {
    const protocol = protocolOf(wire as ChatWire)
    const chunks = Array.from({ length: 1_000 }, (_, i) => Buffer.from(event.replace(' word', ` word${i}`)))
    const stream = (read: boolean): number => {
      const reader = protocol.openStream({ dropUsageChunk: true })
      for (const chunk of chunks) reader.push(chunk)
      return read ? reader.producedBytes : Object.keys(NO_TOKENS).length
    }
    const push = best(1, () => stream(false)) / chunks.length
    const text = best(1, () => stream(true)) / chunks.length
    const data = String(/^data: (.*)$/m.exec(event)?.[1])
    row([
      wire,
      event.length,
      push.toFixed(2),
      text.toFixed(2),
      best(1_000, () => JSON.parse(data) as unknown).toFixed(2),
    ])
  }
}

function measureCuts(): void {
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
}

/** Microseconds of one call, the best of forty rounds. */
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
