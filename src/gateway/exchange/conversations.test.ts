import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import type { Group } from '../../access/group.ts'
import { type NanoUsd, ONE_PPM, parseUsd } from '../../core/money.ts'
import type { ChatWire } from '../../core/wire.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import type { Model, RequestOverrides, Upstream } from '../../routing/catalog.ts'
import { CredentialHealth } from '../../routing/credential-health.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { affinityOf } from '../choice/affinity.ts'
import type { CredentialInUse, Snapshot } from '../snapshot.ts'
import { UntriedTargets } from './plan.ts'
import type { ChosenModel } from '../request/prepared.ts'

// A thousand conversations over the credentials of one upstream, chosen by the code that chooses for requests. Each provider
// account keeps what it has read of a conversation for five minutes.

const CONVERSATIONS = 1_000
const CACHE_MS = 300_000

/** Park and Miller's generator: the same conversations in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

interface Turn {
  readonly at: number
  readonly ms: number
  readonly conversation: number
  /** Tokens that stood in the turn before, and all of this one. */
  readonly known: number
  readonly input: number
  readonly place: number
}

/** Conversations as agents and people have them: few turns or many, some seconds each, and pauses that a cache mostly outlives. */
function turnsOf(spreadMs: number, seed = 11): readonly Turn[] {
  const random = numbers(seed)
  const turns: Turn[] = []
  for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
    let at = random() * spreadMs
    let known = 0
    let input = 1_500 + Math.floor(random() * 8_000)
    const count = 2 + Math.floor(-10 * Math.log(random()))
    for (let place = 0; place < Math.min(count, 60); place++) {
      const ms = 2_000 + random() * 20_000
      turns.push({ at, ms, conversation, known, input, place })
      at += ms + (random() < 0.1 ? 60_000 + random() * 300_000 : 1_000 + random() * 20_000)
      known = input
      input += 100 + Math.floor(random() * 2_000)
    }
  }
  return turns.toSorted((a, b) => a.at - b.at)
}

const WIRES: readonly ChatWire[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

/** Some clients name their session in a header or in the body; the others are known by how the conversation begins. */
function requestOf({ conversation, place }: Turn): { wire: ChatWire; headers: IncomingHttpHeaders; body: Buffer } {
  const wire = WIRES[conversation % WIRES.length] ?? 'openai-chat'
  const first = `Question ${conversation}`
  const more = Array.from({ length: place }, (_, i) => `turn ${i}`)
  const texts = [first, ...more]
  const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const bodies: Readonly<Record<ChatWire, object>> = {
    'openai-chat': { model: 'm', messages: [{ role: 'system', content: 'Help.' }, ...messages] },
    'openai-responses': { model: 'm', input: messages, prompt_cache_key: `key ${conversation}` },
    'anthropic-messages': { model: 'm', system: 'Help.', messages, metadata: { user_id: `session ${conversation}` } },
    gemini: { contents: texts.map((text, i) => ({ role: i % 2 === 0 ? 'user' : 'model', parts: [{ text }] })) },
  }
  const headers = conversation % 8 === 0 ? { 'x-session-id': `s${conversation}` } : {}
  return { wire, headers, body: Buffer.from(JSON.stringify(bodies[wire])) }
}

interface Played {
  /** Tokens that the provider had read already. */
  readonly cached: number
  /** Requests, and tokens of input, by credential. */
  readonly requests: readonly number[]
  readonly tokens: readonly number[]
}

/** The request with what the walk over its body found. */
function withConversation(request: ReturnType<typeof requestOf>) {
  const { wire, body } = request
  return {
    ...request,
    conversation: protocolOf(wire).readRequest(body, { fromPath: { model: 'm', isStream: false } }).conversation,
  }
}

function play(turns: readonly Turn[], credentials: number, isSticky = true): Played {
  const { chosen, snapshot, pool } = poolOf(credentials)
  const random = numbers(5)
  const requests = pool.map(() => 0)
  const tokens = pool.map(() => 0)
  /** How much of a conversation an account read last, and when. */
  const read = new Map<string, { readonly at: number; readonly tokens: number }>()
  const running: { readonly endsAt: number; end(): void }[] = []
  let cached = 0
  for (const turn of turns) {
    for (const each of running.filter(({ endsAt }) => endsAt <= turn.at)) {
      each.end()
      running.splice(running.indexOf(each), 1)
    }
    const request = requestOf(turn)
    const { wire } = request
    const affinity = isSticky
      ? affinityOf(chosen, { accountId: 'acc_1', ...withConversation(request), snapshot })
      : null
    const untried = new UntriedTargets(
      {
        chosen,
        snapshot,
        affinity,
        caller: { account: { id: 'acc_1' } },
        isSameWireOnly: false,
        protocol: { wire },
        adapters: { isSameWire: () => true },
      },
      random,
    )
    const choice = untried.choose(turn.at, { isRetry: false })
    if (choice.kind !== 'take') throw new Error('all are well, so one is taken')
    const { candidate } = choice
    candidate.begin(turn.at)
    running.push({
      endsAt: turn.at + turn.ms,
      end: () => {
        candidate.answered(turn.at, turn.at + 500)
        candidate.succeeded(turn.at)
        candidate.end()
      },
    })
    const index = pool.findIndex(({ health }) => health === candidate.credential)
    requests[index] = (requests[index] ?? 0) + 1
    tokens[index] = (tokens[index] ?? 0) + turn.input
    const name = `${turn.conversation} ${index}`
    // What another account read meanwhile is new to this one.
    const last = read.get(name)
    if (last !== undefined && turn.at - last.at < CACHE_MS) cached += Math.min(last.tokens, turn.known)
    read.set(name, { at: turn.at + turn.ms, tokens: turn.input })
  }
  return { cached, requests, tokens }
}

interface PoolOptions {
  readonly cacheRead?: NanoUsd | null
  readonly passage?: RequestOverrides
}

function poolOf(count: number, { cacheRead = parseUsd('0.25'), passage = {} }: PoolOptions = {}) {
  const clock = { now: () => 0, elapsed: () => 0 }
  const random = numbers(3)
  const limits = {
    maxConcurrency: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendPerDay: null,
    expiresAt: null,
  }
  const client = { send: () => Promise.reject(new Error('nothing is sent')), close: async () => {} } as never
  const pool = Array.from({ length: count }, (_, i): CredentialInUse => ({
    credential: unlimitedCredential('sealed', `credential-${i}`),
    client,
    health: new CredentialHealth({ limits, clock, random }),
    isDisabled: false,
  }))
  const upstream = { id: 'ups_1', name: 'main', protocol: 'openai', passage } as Upstream
  const inUse = { upstream, client, pool, health: new UpstreamHealth(random), secrets: [] }
  const group = { id: 'grp_1', name: 'default', multiplier: ONE_PPM } as Group
  const targets = [{ upstreamId: 'ups_1', model: 'm', priority: 0, weight: 1 }]
  const prices = { input: parseUsd('2.5'), output: parseUsd('10'), cacheRead }
  const model = { id: 'mdl_1', name: 'm', targets } as unknown as Model
  const snapshot = { upstreamsById: new Map([['ups_1', inUse]]) } as unknown as Snapshot
  const chosen = { model, group, prices, targets } as unknown as ChosenModel
  return { chosen, snapshot, pool }
}

const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length

test.for([
  ['all day', 8 * 3_600_000],
  ['within an hour', 3_600_000],
  ['at once', 60_000],
] as const)(
  'conversations that begin %s keep nine tenths of what one credential has cached, over eight that share the load',
  ([, spreadMs]) => {
    const turns = turnsOf(spreadMs)
    const [one, eight] = [play(turns, 1), play(turns, 8)]
    expect(eight.cached / one.cached).toBeGreaterThanOrEqual(0.9)
    expect(Math.max(...eight.requests) / mean(eight.requests)).toBeLessThanOrEqual(1.5)
    expect(Math.max(...eight.tokens) / mean(eight.tokens)).toBeLessThanOrEqual(1.5)
  },
)

test('without affinity most of the cached input is lost', () => {
  const turns = turnsOf(3_600_000)
  expect(play(turns, 8, false).cached / play(turns, 1).cached).toBeLessThan(0.5)
})

test('a conversation has an upstream of its own where a cached read is cheaper, or where an upstream is said to keep prefixes', () => {
  const affinity = (options: PoolOptions) => {
    const { chosen, snapshot } = poolOf(2, options)
    const [turn] = turnsOf(1)
    if (turn === undefined) throw new Error('there are turns')
    return affinityOf(chosen, { accountId: 'acc_1', ...withConversation(requestOf(turn)), snapshot })
  }
  expect(affinity({})).not.toBeNull()
  expect(affinity({ cacheRead: null })).toBeNull()
  expect(affinity({ cacheRead: parseUsd('2.5') })).toBeNull()
  expect(affinity({ cacheRead: null, passage: { keepsPrefixes: true } })).not.toBeNull()
})
