import { expect, test } from 'vitest'
import { protocolOf } from './protocol-of.ts'
import { Translation } from './translation.ts'

test('a request that is read in steps, each in a turn of its own, is translated like one that is read at once', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }
  const messages = [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'It says "a".' },
  ]
  const body = Buffer.from(JSON.stringify({ model: 'm', messages }))
  const head = protocolOf('openai-chat').readRequest(body)
  const asked = { wire: 'openai-chat', body, head, requestId: 'req_1', nowMs: 0 } as const
  const [read, atOnce] = [new Translation(asked), new Translation(asked)]
  const steps = [...read.readAhead()].length
  // Its values are counted, it is parsed, read, and its calls get their results; what is written of it has a turn of its own.
  expect(steps).toBe(4)
  const upstream = { model: 'm', maxOutputTokens: 100 }
  const written = read.to('anthropic-messages', upstream).body.toString()
  expect(written).toBe(atOnce.to('anthropic-messages', upstream).body.toString())
})
