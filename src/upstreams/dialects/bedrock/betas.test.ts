import { expect, test } from 'vitest'
import type { UpstreamRequest } from '../../upstream-client.ts'
import { bedrock } from './bedrock.ts'
import { fieldsOfJson } from './json-fields.ts'

const CLAUDE = {
  protocol: 'anthropic',
  baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  region: null,
  apiVersion: null,
} as const

function asking(features: string | undefined, model = 'm'): UpstreamRequest {
  return {
    method: 'POST',
    path: '/messages',
    headers: features === undefined ? {} : { 'anthropic-beta': features },
    body: [Buffer.from('{"max_tokens":1,"messages":[]}')],
    asks: { wire: 'anthropic-messages', model, form: 'whole' },
  }
}

function featuresOf(request: UpstreamRequest): unknown {
  return fieldsOfJson(Buffer.concat(request.body))['anthropic_beta']
}

const REFUSED = Buffer.from('{"message":"The model returned the following errors: invalid beta flag"}')

test('a request goes out once more without what was refused, also where several were sent at once', () => {
  const dialect = bedrock(CLAUDE)
  const request = asking('effort-2025-11-24,context-1m-2025-08-07')
  for (const refusal of [Buffer.from('{"message":"invalid beta flag"}'), REFUSED]) {
    const again = dialect.again?.(request, refusal) ?? request
    expect(again).not.toBe(request)
    expect(featuresOf(again)).toBeUndefined()
  }
  expect(featuresOf(dialect.outbound(asking('context-1m-2025-08-07,effort-2025-11-24')))).toBeUndefined()
  // Another list and another model may be taken.
  expect(featuresOf(dialect.outbound(asking('context-1m-2025-08-07')))).toEqual(['context-1m-2025-08-07'])
  expect(featuresOf(dialect.outbound(asking('effort-2025-11-24,context-1m-2025-08-07', 'n')))).toHaveLength(2)
})

test.each([
  ['other words', 'effort-2025-11-24', '{"message":"messages: invalid beta flag"}'],
  ['no JSON', 'effort-2025-11-24', 'invalid beta flag'],
  ['the words, where none that Bedrock knows was sent', 'claude-code-20250219', REFUSED.toString()],
  ['the words, where none was asked for', undefined, REFUSED.toString()],
])('a refusal with %s stands', (_, features, refusal) => {
  expect(bedrock(CLAUDE).again?.(asking(features), Buffer.from(refusal))).toBeNull()
})
