import { expect, test } from 'vitest'
import { begin, settle } from '../../../test/support/exchange-by-hand.ts'

/** Requests that pass untouched to an upstream which cannot read them, because they belong to another endpoint. */

const USER = [{ role: 'user', content: 'Hi' }]
const JSON_TYPE = { 'content-type': 'application/json' }
const REFUSED = JSON.stringify({ error: { message: 'Invalid tools.', type: 'invalid_request_error' } })

async function refused(options: Parameters<typeof begin>[0], status = 400): Promise<string> {
  const begun = begin({ targets: ['ups_1'], stream: false, ...options })
  begun.attempt(0).handler.onHead(status, JSON_TYPE)
  begun.attempt(0).handler.onData(Buffer.from(REFUSED))
  begun.attempt(0).handler.onEnd()
  await settle()
  return begun.response.written
}

test.for<readonly [string, Parameters<typeof begin>[0], string]>([
  [
    'tools of Anthropic at chat completions (automazeio/vibeproxy#411)',
    { wire: 'openai-chat', fields: { messages: USER, tools: [{ name: 'read', input_schema: {} }] } },
    'POST /v1/messages',
  ],
  [
    'tools of chat completions at messages (langchain-ai/langchainjs#5849)',
    { wire: 'anthropic-messages', fields: { messages: USER, tools: [{ type: 'function', function: { name: 'f' } }] } },
    'POST /v1/chat/completions',
  ],
])('%s', async ([, options, endpoint]) => {
  const written = await refused(options)
  expect(written).toContain('Invalid tools. This is a ')
  expect(written).toContain(`Send it to ${endpoint}.`)
})

test('nothing is added where the body is of its endpoint, or the upstream has another reason', async () => {
  const tools = [{ name: 'read', input_schema: {} }]
  expect(await refused({ wire: 'anthropic-messages', fields: { messages: USER, tools } })).not.toContain('Send it to')
  expect(await refused({ wire: 'openai-chat', fields: { messages: USER, tools } }, 413)).not.toContain('Send it to')
  const large = [{ role: 'user', content: 'x'.repeat(1024 * 1024) }]
  expect(await refused({ wire: 'openai-chat', fields: { messages: large, tools } })).not.toContain('Send it to')
})
