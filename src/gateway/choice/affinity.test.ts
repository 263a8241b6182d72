import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { parseUsd } from '../../core/money.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import type { Snapshot } from '../snapshot.ts'
import { affinityOf } from './affinity.ts'
import type { ChosenModel } from '../request/prepared.ts'

const chosen = {
  targets: [{ upstreamId: 'ups_1' }, { upstreamId: 'ups_2' }],
  prices: { input: parseUsd('2.5'), cacheRead: parseUsd('0.25') },
} as unknown as ChosenModel
const snapshot = { upstreamsById: new Map() } as unknown as Snapshot

function affinity(headers: IncomingHttpHeaders, fields: object = {}, accountId = 'acc_1'): number | null {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...fields }))
  const { conversation } = protocolOf('openai-chat').readRequest(body)
  return affinityOf(chosen, { accountId, wire: 'openai-chat', headers, body, conversation, snapshot })
}

const another = { messages: [{ role: 'user', content: 'Ho' }] }

test.for([
  'x-tollgate-session',
  'session_id',
  'session-id',
  'conversation_id',
  'x-session-id',
  'x-session-affinity',
  'x-grok-conv-id',
])('requests with one %s go together, whatever they say, and apart from those with another', (header) => {
  const first = affinity({ [header]: 'one' })
  expect(affinity({ [header]: 'one' }, { ...another, prompt_cache_key: 'k' })).toBe(first)
  expect(affinity({ [header]: 'two' })).not.toBe(first)
  expect(affinity({ [header]: '' })).toBe(affinity({}))
})

test('ours comes before other headers, those before a name in the body, and that before what the conversation begins with', () => {
  const ours = affinity({ 'x-tollgate-session': 'one' })
  expect(affinity({ 'x-tollgate-session': 'one', session_id: 'two', 'x-session-id': 'three' })).toBe(ours)
  expect(affinity({ session_id: 'two' }, { prompt_cache_key: 'k' })).toBe(affinity({ session_id: 'two' }))
  const key = affinity({}, { prompt_cache_key: 'k', metadata: { user_id: 'u' } })
  expect(affinity({}, { prompt_cache_key: 'k', metadata: { user_id: 'v' }, ...another })).toBe(key)
  expect(affinity({}, { metadata: { user_id: 'u' }, ...another })).toBe(affinity({}, { metadata: { user_id: 'u' } }))
  expect(affinity({}, another)).not.toBe(affinity({}))
})

test('a session of one account is none of another’s, and neither account nor key alone makes one', () => {
  for (const fields of [{}, { prompt_cache_key: 'k' }]) {
    expect(affinity({}, fields, 'acc_2')).not.toBe(affinity({}, fields))
    expect(affinity({ session_id: 'one' }, fields, 'acc_2')).not.toBe(affinity({ session_id: 'one' }, fields))
  }
  expect(affinity({}, { messages: undefined })).toBeNull()
})
