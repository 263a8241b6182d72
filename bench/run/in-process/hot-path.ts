/**
 * What routing, affinity and metrics take of each request, in microseconds of this process alone, for one target, three
 * targets, the long body of a coding agent, an upstream with 8, 100 and 500 credentials, and a key with a fallback group that is not needed, or is:
 * `npm run bench -- run --only hot-path`. Everything is the gateway's own code, called as a request calls it; nothing is
 * sent. Bar: 3 µs together for up to eight credentials, unless the request goes on in another group.
 */
import { systemClock } from '../../../src/core/clock.ts'
import { ONE_PPM, parseUsd } from '../../../src/core/money.ts'
import type { Group } from '../../../src/access/group.ts'
import { affinityOf } from '../../../src/gateway/choice/affinity.ts'
import { fallbackGroups } from '../../../src/gateway/choice/fallback-groups.ts'
import { UntriedTargets } from '../../../src/gateway/exchange/untried-targets.ts'
import { RequestFigures } from '../../../src/gateway/request-figures.ts'
import type { CredentialInUse, Snapshot, UpstreamInUse } from '../../../src/gateway/snapshot.ts'
import { protocolOf } from '../../../src/protocols/protocol-of.ts'
import type { Model, Upstream } from '../../../src/routing/catalog.ts'
import { CredentialHealth } from '../../../src/routing/credential-health.ts'
import { unlimitedCredential } from '../../../src/routing/credential-settings.ts'
import { SpendCap } from '../../../src/routing/spend-cap.ts'
import { UpstreamHealth } from '../../../src/routing/upstream-health.ts'
import { readFlags } from '../../command.ts'
import { writeTable } from '../../table.ts'
import type { ChosenModel } from '../../../src/gateway/request/prepared.ts'

const ROUNDS = 30
const BAR_MICROSECONDS = 3

const price = parseUsd('2.5')
const cost = parseUsd('0.0001')
const tokens = {
  input: 40,
  cacheRead: 8,
  cacheWrite: null,
  cacheWrite1h: null,
  output: 10,
  reasoning: null,
  other: null,
  units: null,
}
const asks = { model: 'm', stream: true, max_tokens: 500 }
const turns = (count: number, content: string) =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
/** As coding agents send: long instructions, tools, and files with escaped quotes; about 190 KB. */
const ofAgent = {
  ...asks,
  tools: Array.from({ length: 20 }, (_, i) => ({
    type: 'function',
    function: { name: `tool_${i}`, description: 'Does a thing to a file. '.repeat(40), parameters: { type: 'object' } },
  })),
  messages: [
    { role: 'system', content: 'You are a careful agent. '.repeat(60) },
    ...turns(80, 'const a = { "b": "c" }\n'.repeat(84)),
  ],
}
const BODIES = {
  small: readBody({ ...asks, prompt_cache_key: 'session-7', messages: turns(20, 'word '.repeat(20)) }),
  large: readBody({ ...ofAgent, prompt_cache_key: 'session-7' }),
  nameless: readBody(ofAgent),
}

function readBody(fields: object) {
  const body = Buffer.from(JSON.stringify(fields))
  return { body, conversation: protocolOf('openai-chat').readRequest(body).conversation }
}

interface Setting {
  readonly name: string
  readonly targets: number
  readonly credentials: number
  /** The upstream has a cap on its spending. */
  readonly isCapped?: true
  /** Its key has a fallback group, with a target of its own: no target of the first group fails, or none may be asked. */
  readonly fallback?: 'unused' | 'used'
  /** Of the request; left out: small. */
  readonly body?: keyof typeof BODIES
}

const SETTINGS: readonly Setting[] = [
  { name: 'one target', targets: 1, credentials: 1 },
  { name: 'three targets', targets: 3, credentials: 1 },
  { name: '190 KB, named', targets: 3, credentials: 1, body: 'large' },
  { name: '190 KB, nameless', targets: 3, credentials: 1, body: 'nameless' },
  { name: 'three, and behind', targets: 3, credentials: 1, fallback: 'unused' },
  { name: 'the one behind', targets: 1, credentials: 1, fallback: 'used' },
  { name: '8 credentials', targets: 1, credentials: 8 },
  { name: '8, under a cap', targets: 1, credentials: 8, isCapped: true },
  { name: '100 credentials', targets: 1, credentials: 100 },
  { name: '500 credentials', targets: 1, credentials: 500 },
]

const BEHIND = 'ups_behind'
const client = { send: () => Promise.reject(new Error('nothing is sent')), close: async () => {} } as never
const clock = { now: () => 0, elapsed: () => 0 }
const limits = {
  maxConcurrency: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendPerDay: null,
  expiresAt: null,
}

function upstreamOf(id: string, { credentials: count, isCapped, fallback }: Setting): UpstreamInUse {
  const isOut = fallback === 'used' && id !== BEHIND
  const expiresAt = isOut ? clock.now() - 1 : null
  const pool = Array.from({ length: count }, (_, i): CredentialInUse => ({
    credential: unlimitedCredential('sealed', `credential-${i}`),
    client,
    health: new CredentialHealth({ limits: { ...limits, expiresAt }, clock, random: Math.random }),
    isDisabled: false,
  }))
  const upstream = { id, name: id, protocol: 'openai' } as Upstream
  const inUse = { upstream, client, pool, health: new UpstreamHealth(Math.random), secrets: [] }
  if (isCapped !== true) return inUse
  return { ...inUse, caps: { ofUpstream: new SpendCap(parseUsd('1000000'), systemClock), ofTargets: new Map() } }
}

/** Each part as it is called for one request; `at`: its time in milliseconds. */
function partsOf(setting: Setting) {
  const { targets: count, fallback, body = 'small' } = setting
  const targetAt = (upstreamId: string, groupIds: readonly string[]) => ({
    upstreamId,
    model: 'm',
    priority: 0,
    weight: 1,
    ...(fallback === undefined ? {} : { groupIds }),
  })
  const targets = Array.from({ length: count }, (_, i) => targetAt(`ups_${i}`, ['grp_1']))
  const all = fallback === undefined ? targets : [...targets, targetAt(BEHIND, ['grp_2'])]
  const groups = ['grp_1', 'grp_2'].map(
    (id) => ({ id, name: id, multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true }) as unknown as Group,
  )
  const [group] = groups
  const model = { id: 'mdl_1', name: 'm', targets: all } as unknown as Model
  const upstreams = all.map(({ upstreamId }) => upstreamOf(upstreamId, setting))
  const upstreamsById = new Map(upstreams.map((each) => [each.upstream.id, each]))
  const groupsById = new Map(groups.map((each) => [each.id, each]))
  const snapshot = { upstreamsById, groupsById } as unknown as Snapshot
  const chosen = {
    model,
    group,
    targets,
    prices: { input: price, output: price, cacheRead: parseUsd('0.25') },
  } as unknown as ChosenModel
  const figures = new RequestFigures()
  const about = {
    chosen,
    snapshot,
    isSameWireOnly: false,
    protocol: { wire: 'openai-chat' as const },
    adapters: { isSameWire: () => true },
  }
  const key = { groupId: 'grp_1', fallbackGroupIds: fallback === undefined ? [] : ['grp_2'], allowedModels: [] }
  const caller = { key, account: { id: 'acc_1' }, subscriptions: [] }
  const affinityIn = (of: ChosenModel) =>
    affinityOf(of, { accountId: 'acc_1', wire: 'openai-chat', headers: {}, ...BODIES[body], snapshot })
  const affinity = () => affinityIn(chosen)
  const behind = (at: number) => {
    const of = { chosen, caller, snapshot, wire: 'openai-chat' as const, isSameWireOnly: false }
    const later = fallbackGroups(of, { nowMs: at, mayHave: () => true })
    return later.map((each) => ({ chosen: each, affinity: affinityIn(each) }))
  }
  const routing = (at: number, of: number | null) => {
    const fallbacks = fallback === undefined ? null : () => behind(at)
    const untried = new UntriedTargets({ ...about, affinity: of, caller }, Math.random, fallbacks)
    const choice = untried.choose(at, { isRetry: false })
    if (choice.kind !== 'take') throw new Error('all are well, so one is taken')
    const { candidate } = choice
    if (fallback === 'used') untried.switchTo(untried.groupOf(candidate))
    untried.remove(candidate)
    candidate.begin(at)
    candidate.answered(at, at + 5)
    candidate.succeeded(at)
    candidate.end()
    candidate.used(50, cost)
    return untried.notes.written()
  }
  const trace = {
    wire: 'openai-chat' as const,
    chosen,
    isStream: true,
    startedAt: 0,
    firstByteAt: 4,
    bodyMs: 0,
    upstreamMs: 5,
  }
  const metrics = (at: number) => {
    figures.attempted('ups_0', 'credential-0', 'ok')
    figures.ended({ ...trace, startedAt: at }, { outcome: 'completed', fault: null }, at + 9)
    figures.used({ tokens, cost: price, providerCost: null })
    figures.readBy({ model: 'm', upstream: 'ups_0', affinity: 7 }, tokens)
    figures.settled(2)
  }
  return { affinity, routing, metrics }
}

/**
 * The best of some rounds of so many calls, by the time that this thread had a core, so that others on the machine count
 * for little. In microseconds for each call.
 */
function timeOf(call: (at: number) => unknown, calls: number): number {
  let best = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.threadCpuUsage()
    for (let i = 0; i < calls; i++) call(i)
    const { user, system } = process.threadCpuUsage(began)
    best = Math.min(best, (user + system) / calls)
  }
  return best
}

/** Prints a row for each setting. Resolves with whether all that have a bar met it. */
export async function measureHotPath(argv: readonly string[]): Promise<boolean> {
  const { requests } = readFlags(argv, { requests: 30_000 })
  const rows = SETTINGS.map((setting) => {
    const { affinity, routing, metrics } = partsOf(setting)
    const of = affinity()
    const times = [affinity, (at: number) => routing(at, of), metrics].map((part) => timeOf(part, requests))
    return { setting, times, all: times.reduce((sum, each) => sum + each, 0) }
  })
  const cells = rows.map(({ setting, times, all }) => [setting.name, ...[...times, all].map((each) => each.toFixed(2))])
  console.log(writeTable(['µs a request', 'affinity', 'routing', 'metrics', 'together'], cells))
  const hasBar = ({ credentials, fallback }: Setting) => credentials <= 8 && fallback !== 'used'
  return rows.every(({ setting, all }) => !hasBar(setting) || all <= BAR_MICROSECONDS)
}
