import { describe, expect, test, vi } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../../core/limits.ts'
import type { DroppableSetting } from '../../core/request-settings-names.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import type { RefusedPart } from '../../protocols/refused-settings.ts'
import type { UpstreamProtocol } from '../../core/upstream-protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import { TargetAdapters } from './target-adapters.ts'
import type { Snapshot } from '../snapshot.ts'
import { mayCallTools } from './unpriced.ts'
import type { ChosenModel } from '../request/prepared.ts'

const ASKED = { model: 'public', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] }

function targetAt(upstreamId: string): Target {
  return { upstreamId, model: 'theirs', priority: 0, weight: 1 }
}

/** A request of the wire for a model with a target at an upstream of each of the protocols. */
function asked(wire: Wire, fields: object, protocols: readonly UpstreamProtocol[]) {
  const body = Buffer.from(JSON.stringify({ ...ASKED, ...fields }))
  const targets: Target[] = protocols.map(targetAt)
  const upstreamsById = new Map(protocols.map((protocol) => [protocol, { upstream: { protocol }, pool: [] }]))
  const protocol = protocolOf(wire)
  const chosen = { model: { maxOutputTokens: null, targets }, prices: {}, targets } as unknown as ChosenModel
  const snapshot = { upstreamsById } as unknown as Snapshot
  const adapters = new TargetAdapters({
    protocol,
    body,
    head: protocol.readRequest(body),
    chosen,
    snapshot,
    requestId: 'req_1',
    nowMs: 0,
    rawHeaders: ['anthropic-beta', 'x', 'User-Agent', 'me'],
    forwardsAlso: new Set<string>(),
    upstreamPath: '/messages?beta=true',
    isFree: false,
  })
  const way = (at: number) => {
    const target = targets[at]
    const outbound = target === undefined ? null : adapters.to(target, 'tag')
    if (outbound === null || outbound instanceof Fault) throw outbound ?? new Error('no such target')
    const { path, headers, body: pieces } = outbound.request
    return { path, headers, json: JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown> }
  }
  return {
    adapters,
    mayCall: () => mayCallTools(chosen, snapshot, adapters),
    way,
    first: targets[0] ?? targetAt('none'),
  }
}

test.for<[Wire, readonly UpstreamProtocol[], boolean]>([
  ['openai-responses', ['openai'], true],
  ['openai-responses', ['anthropic', 'openai'], true],
  ['openai-responses', ['anthropic'], false],
  ['anthropic-messages', ['openai-chat', 'gemini'], false],
  ['anthropic-messages', ['anthropic'], true],
  ['openai-responses', ['demo'], false],
])('a provider may run its own tools for %s at %j: %s', ([wire, protocols, may]) => {
  const fields = wire === 'openai-responses' ? { input: 'x', messages: undefined } : {}
  expect(asked(wire, fields, protocols).mayCall()).toBe(may)
})

test('on the same wire path, query and headers pass, and the model gets its upstream’s name', () => {
  const { adapters, way } = asked('anthropic-messages', { unknown_field: 1 }, ['anthropic'])
  expect(adapters.refusal()).toBeNull()
  const { path, headers, json } = way(0)
  expect(path).toBe('/messages?beta=true')
  expect(headers).toMatchObject({ 'anthropic-beta': 'x' })
  expect(json).toEqual({ ...ASKED, unknown_field: 1, model: 'theirs' })
})

test('an OpenAI upstream is asked by responses, and by chat completions for what only those know', () => {
  const plain = asked('anthropic-messages', {}, ['openai']).way(0)
  expect(plain.path).toBe('/responses')
  expect(plain.headers).toEqual({ 'content-type': 'application/json', 'x-request-id': 'req_1', 'user-agent': 'me' })
  const { adapters, way } = asked('anthropic-messages', { top_k: 5 }, ['openai'])
  expect(adapters.refusal()).toBeNull()
  expect(way(0)).toMatchObject({ path: '/chat/completions', json: { model: 'theirs' } })
})

test('stop sequences do not move a request away from responses, which have none', () => {
  const { path, json } = asked('anthropic-messages', { stop_sequences: ['END'] }, ['openai']).way(0)
  expect(path).toBe('/responses')
  expect(json).not.toHaveProperty('stop')
})

test('what the first target cannot carry goes to one that can', () => {
  const { adapters, way } = asked('openai-chat', { frequency_penalty: 1 }, ['anthropic', 'gemini'])
  expect(adapters.refusal()).toBeNull()
  expect(() => way(0)).toThrow('frequency_penalty')
  expect(way(1).path).toBe('/models/theirs:generateContent')
})

test('what no target can carry is refused by name', () => {
  const { adapters } = asked('openai-chat', { frequency_penalty: 1 }, ['anthropic'])
  expect(adapters.refusal()).toEqual(
    expect.objectContaining({ code: 'request_invalid', details: { param: 'frequency_penalty' } }),
  )
})

test('what is too large to be translated is refused before it is parsed, and passes untouched where a target speaks its wire', () => {
  const long = { messages: [{ role: 'user', content: 'x'.repeat(TRANSLATED_BODY_LIMIT_BYTES) }] }
  const message = { role: 'user', content: '' }
  const many = { messages: Array.from({ length: TRANSLATED_VALUES_LIMIT / 3 + 1 }, () => message) }
  const parse = vi.spyOn(JSON, 'parse')
  for (const [fields, bound] of [
    [long, `${TRANSLATED_BODY_LIMIT_BYTES} bytes`],
    [many, `${TRANSLATED_VALUES_LIMIT} JSON values`],
  ] as const) {
    const { adapters } = asked('openai-chat', fields, ['anthropic', 'gemini'])
    parse.mockClear()
    expect(adapters.refusal()).toEqual(
      expect.objectContaining({ code: 'request_invalid', message: expect.stringContaining(bound) }),
    )
    expect(parse).not.toHaveBeenCalled()
    const { adapters: both } = asked('openai-chat', fields, ['anthropic', 'openai-chat'])
    expect(both.refusal()).toBeNull()
    const [translated, same] = ['anthropic', 'openai-chat'].map((upstreamId) => both.to(targetAt(upstreamId), 'tag'))
    expect(translated).toBeInstanceOf(Fault)
    expect(same).toMatchObject({ adapter: { isSameWire: true } })
  }
  parse.mockRestore()
})

test('values of arguments that are JSON in a text count as well before they are parsed, over all calls', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i])))
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: many } }
  const ofCalls = (count: number) => ({
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: Array.from({ length: count }, (_, i) => ({ ...call, id: `c${i}` })) },
      ...Array.from({ length: count }, (_, i) => ({ role: 'tool', tool_call_id: `c${i}`, content: 'x' })),
    ],
  })
  expect(asked('openai-chat', ofCalls(500), ['anthropic']).adapters.refusal()).toBeNull()
  const { adapters } = asked('openai-chat', ofCalls(700), ['anthropic'])
  const refusal = { code: 'request_invalid', message: expect.stringContaining('arguments of its calls') }
  expect(adapters.refusal()).toEqual(expect.objectContaining(refusal))
  // Code in arguments has as many commas as it wants.
  const code = JSON.stringify({ content: 'a, [b], {c}, '.repeat(50_000) })
  const writing = { ...call, function: { name: 'write', arguments: code } }
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', tool_calls: [writing] },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
  ]
  expect(asked('openai-chat', { messages }, ['anthropic']).adapters.refusal()).toBeNull()
})

test('as many messages as the longest loops of agents have are translated, whatever stands in their text', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":[1,2,3],"b":"{,[{,["}' } }
  const turns = [
    { role: 'user', content: '{"a":[1,{"b":2}]},'.repeat(20) },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: '[[[[,,,,' },
  ]
  const { way } = asked('openai-chat', { messages: Array.from({ length: 2_000 }, () => turns).flat() }, ['anthropic'])
  expect(way(0).path).toBe('/messages')
})

test('a second try of the same target sends the same again', () => {
  const { adapters, way } = asked('anthropic-messages', {}, ['openai-chat'])
  expect(adapters.refusal()).toBeNull()
  expect(way(0)).toEqual(way(0))
})

describe('what a target refuses by name', () => {
  const refused = (setting: DroppableSetting, refuses: RefusedPart = 'setting') => ({
    settings: [setting],
    refuses,
    words: 'no',
  })

  test('is cut from what the gateway wrote, with what is empty without it, and named as the client said it', () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 }
    const { adapters, way, first } = asked('anthropic-messages', { thinking, max_tokens: 4_000 }, ['openai'])
    expect(way(0).json['reasoning']).toBeDefined()
    const untaken = adapters.leaveOut(first, 'tag', refused('reasoning_effort'))
    expect(untaken).toEqual([{ setting: 'reasoning_effort', value: null }])
    const outbound = adapters.to(first, 'tag')
    expect(outbound).toMatchObject({ adapter: { dropped: ['thinking'], leftOut: ['reasoning_effort'] } })
  })

  test('is named to the client only where it said it itself', () => {
    const { adapters, first: target } = asked('anthropic-messages', {}, ['openai'])
    expect(adapters.leaveOut(target, 'tag', refused('include'))).toEqual([{ setting: 'include', value: null }])
    expect(adapters.to(target, 'tag')).toMatchObject({ adapter: { dropped: [], leftOut: ['include'] } })
    expect(adapters.leaveOut(target, 'tag', refused('include'))).toBeNull()
    expect(adapters.leaveOut(target, 'tag', refused('seed'))).toBeNull()
  })

  test('is remembered by its value where only that is refused, and not at all where something else is to blame', () => {
    const leaveOut = (refuses: RefusedPart, fields: object, setting: DroppableSetting) => {
      const { adapters, first } = asked('openai-chat', fields, ['gemini'])
      return adapters.leaveOut(first, 'tag', refused(setting, refuses))
    }
    expect(leaveOut('value', { temperature: 1.5 }, 'temperature')).toEqual([{ setting: 'temperature', value: '1.5' }])
    expect(leaveOut('combination', { temperature: 1.5 }, 'temperature')).toEqual([])
  })

  test('of a class of service that is not sent nothing is asked', () => {
    const { adapters, first } = asked('openai-chat', { service_tier: 'priority' }, ['openai-chat'])
    const without: Target = { ...first, droppedSettings: ['service_tier'] }
    expect(adapters.to(first, 'tag')).toMatchObject({ adapter: { askedTerms: { tier: 'priority' }, dropped: [] } })
    expect(adapters.to(without, 'tag')).toMatchObject({
      adapter: { askedTerms: { tier: null }, dropped: ['service_tier'] },
    })
  })

  test('stays on a client’s own bytes, but for the request for usage that was added to them', () => {
    const fields = { stream: true, temperature: 1 }
    const { adapters, way, first: target } = asked('openai-chat', fields, ['openai-chat'])
    expect(way(0).json['stream_options']).toEqual({ include_usage: true })
    expect(adapters.leaveOut(target, 'tag', refused('temperature'))).toBeNull()
    expect(adapters.leaveOut(target, 'tag', refused('stream_options'))).not.toBeNull()
    const { stream_options: usage, ...json } = way(0).json
    expect(usage).toBeUndefined()
    expect(json).toEqual({ ...ASKED, stream: true, temperature: 1, model: 'theirs' })
    const own = asked('openai-chat', { stream: true, stream_options: { include_usage: true } }, ['openai-chat'])
    expect(own.adapters.leaveOut(own.first, 'tag', refused('stream_options'))).toBeNull()
  })
})
