/** What the holder of one key can do to all others by size and number: bodies that never end, counts, long conversations. */
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../../../src/core/limits.ts'
import type { AttackedGateway, Purse } from '../attacked-gateway.ts'
import { modelName } from '../money/open-models.ts'
import { longAttack } from '../attack.ts'
import type { Edge } from './edge.ts'

const MEGABYTE = 1024 * 1024
/** Bytes that the gateway may have in memory under these attacks: an idle one has a quarter of it. */
const MEMORY_BYTES = 1_300 * MEGABYTE
/** Processor time of one turn of the event loop while the largest request that is translated is read and written anew. */
const LARGE_TURN_MS = 250
/** And while one that is larger is refused. */
const REFUSED_TURN_MS = 150
/** A message is an object with two values. */
const MOST_MESSAGES = Math.floor(TRANSLATED_VALUES_LIMIT / 3) - 10

export function loadAttacks(edge: () => Edge): void {
  longAttack('one key with bodies that never end leaves room for the bodies of others', async () => {
    const { gateway, purse } = edge()
    const other = await gateway.purse('10')
    const held = await Promise.all(Array.from({ length: 16 }, () => startBody(gateway, purse, 32 * MEGABYTE - 1)))
    try {
      expect(await serves(gateway, other, 300)).toBe(200)
      expect(await serves(gateway, other, 3 * MEGABYTE)).toBe(200)
      expect(await memoryOf(gateway)).toBeLessThan(MEMORY_BYTES)
    } finally {
      for (const socket of held) socket.destroy()
    }
  })

  longAttack('token counts of one key fill neither the memory nor the counting for others', async () => {
    const { gateway } = edge()
    const model = await onlyOn(gateway, 'openai')
    const poor = await gateway.purse('0', { rate_limit: { concurrency: 1, requests_per_minute: 1 } })
    const text = 'word '.repeat(2 * MEGABYTE)
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: text }] })
    const asked = Array.from({ length: 30 }, () => post(gateway, poor, { path: '/v1/messages/count_tokens', body }))
    const statuses = await Promise.all(asked)
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(statuses.length)
    expect(await memoryOf(gateway)).toBeLessThan(MEMORY_BYTES)
    expect(await serves(gateway, await gateway.purse('10'), 300)).toBe(200)
  })

  longAttack(
    'what is too large to translate is refused, and a little less is served, without stopping others for long',
    async () => {
      const { gateway } = edge()
      const model = await onlyOn(gateway, 'anthropic')
      const rich = await gateway.purse('1000')
      const ask = async (count: number, bytes: number) => {
        const message = { role: 'user', content: 'x'.repeat(bytes) }
        const body = JSON.stringify({ model, messages: Array.from({ length: count }, () => message), max_tokens: 5 })
        await gateway.stalls()
        const status = await post(gateway, rich, { path: '/v1/chat/completions', body })
        return { status, size: body.length, turnMs: (await gateway.stalls())?.stalls[0]?.ms ?? 0 }
      }
      const many = await ask(190_000, 100)
      expect(many.status).toBe(400)
      expect(many.turnMs).toBeLessThan(REFUSED_TURN_MS)
      const large = await ask(MOST_MESSAGES, Math.floor(TRANSLATED_BODY_LIMIT_BYTES / MOST_MESSAGES) - 30)
      expect(large.size).toBeGreaterThan(0.99 * TRANSLATED_BODY_LIMIT_BYTES)
      expect(large.status).toBe(200)
      expect(large.turnMs).toBeLessThan(LARGE_TURN_MS)
      console.log(
        `refused in a turn of ${many.turnMs.toFixed(0)} ms, translated in one of ${large.turnMs.toFixed(0)} ms`,
      )
    },
  )
}

/** A model with a target at one protocol alone, so that calls over the others are translated. */
async function onlyOn({ admin, prefix }: AttackedGateway, protocol: string): Promise<string> {
  const name = `${prefix}only-${protocol}`
  const targets = [{ upstream: prefix + protocol, model: 'plain' }]
  const sizes = { context_tokens: 10_000_000, max_output_tokens: 64_000 }
  await admin.ask('POST', '/api/models', { name, price: { input: '0.01', output: '0.01' }, ...sizes, targets })
  return name
}

/** Sends a body but for its last byte. */
function startBody(gateway: AttackedGateway, { secret }: Purse, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(gateway.origin)
  const socket = connect(Number(port), hostname)
  // The gateway may cut it off, which is one of the right answers.
  socket.on('error', () => {})
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway.test',
    'content-type: application/json',
    `authorization: Bearer ${secret}`,
    `content-length: ${bytes + 1}`,
  ]
  return new Promise((resolve) => {
    socket.once('close', () => resolve(socket))
    socket.once('data', () => resolve(socket))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.alloc(bytes, 0x20), () => resolve(socket))
  })
}

function serves(gateway: AttackedGateway, purse: Purse, bytes: number): Promise<number> {
  const content = `Write 2 words.${' '.repeat(bytes)}`
  const model = modelName(gateway.prefix, 'plain')
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 5 })
  return post(gateway, purse, { path: '/v1/chat/completions', body })
}

async function post(
  gateway: AttackedGateway,
  { secret }: Purse,
  { path, body }: { readonly path: string; readonly body: string },
): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
  try {
    const answer = await fetch(gateway.origin + path, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    // Refused before the body was read: the connection was closed.
    return 0
  }
}

/** The memory of its own process; 0 where it is not ours. */
async function memoryOf({ process }: AttackedGateway): Promise<number> {
  if (process === null) return 0
  const status = await readFile(`/proc/${process.processId}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
