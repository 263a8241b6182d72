import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import type { UpstreamProtocol } from '../../core/upstream-protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import type { ChosenModel } from './choose-model.ts'
import { TargetAdapters } from './target-adapters.ts'
import type { Snapshot } from '../snapshot.ts'

const ASKED = { model: 'public', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] }

/** A request of the wire for a model with a target at an upstream of each of the protocols. */
function asked(wire: Wire, fields: object, protocols: readonly UpstreamProtocol[]) {
  const body = Buffer.from(JSON.stringify({ ...ASKED, ...fields }))
  const targets: Target[] = protocols.map((upstreamId) => ({ upstreamId, model: 'theirs', priority: 0, weight: 1 }))
  const upstreamsById = new Map(protocols.map((protocol) => [protocol, { upstream: { protocol } }]))
  const protocol = protocolOf(wire)
  const adapters = new TargetAdapters({
    protocol,
    body,
    head: protocol.readRequest(body),
    chosen: { model: { maxOutputTokens: null }, prices: {}, targets } as unknown as ChosenModel,
    snapshot: { upstreamsById } as unknown as Snapshot,
    requestId: 'req_1',
    nowMs: 0,
    rawHeaders: ['anthropic-beta', 'x', 'User-Agent', 'me'],
    forwardsAlso: new Set<string>(),
    upstreamPath: '/messages?beta=true',
    isFree: false,
  })
  const way = (at: number) => {
    const target = targets[at]
    const outbound = target === undefined ? null : adapters.to(target)
    if (outbound === null || outbound instanceof Fault) throw outbound ?? new Error('no such target')
    const { path, headers, body: pieces } = outbound.request
    return { path, headers, json: JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown> }
  }
  return { adapters, way }
}

test('on the same wire path, query and headers pass, and the model gets its upstream’s name', () => {
  const { adapters, way } = asked('anthropic-messages', { unknown_field: 1 }, ['anthropic'])
  adapters.refuseIfNone()
  const { path, headers, json } = way(0)
  expect(path).toBe('/messages?beta=true')
  expect(headers).toMatchObject({ 'anthropic-beta': 'x' })
  expect(json).toEqual({ ...ASKED, unknown_field: 1, model: 'theirs' })
})

test('an OpenAI upstream is asked by responses, and by chat completions for what only those know', () => {
  const plain = asked('anthropic-messages', {}, ['openai']).way(0)
  expect(plain.path).toBe('/responses')
  expect(plain.headers).toEqual({ 'content-type': 'application/json', 'x-request-id': 'req_1', 'user-agent': 'me' })
  const { adapters, way } = asked('anthropic-messages', { stop_sequences: ['END'] }, ['openai'])
  adapters.refuseIfNone()
  expect(way(0)).toMatchObject({ path: '/chat/completions', json: { model: 'theirs', stop: ['END'] } })
})

test('what the first target cannot carry goes to one that can', () => {
  const { adapters, way } = asked('openai-chat', { frequency_penalty: 1 }, ['anthropic', 'gemini'])
  adapters.refuseIfNone()
  expect(() => way(0)).toThrow('frequency_penalty')
  expect(way(1).path).toBe('/models/theirs:generateContent')
})

test('what no target can carry is refused by name', () => {
  const { adapters } = asked('openai-chat', { frequency_penalty: 1 }, ['anthropic'])
  expect(() => adapters.refuseIfNone()).toThrow(
    expect.objectContaining({ code: 'request_invalid', details: { param: 'frequency_penalty' } }),
  )
})

test('a second try of the same target sends the same again', () => {
  const { adapters, way } = asked('anthropic-messages', {}, ['openai-chat'])
  adapters.refuseIfNone()
  expect(way(0)).toEqual(way(0))
})
