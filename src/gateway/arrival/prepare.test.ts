import { Readable } from 'node:stream'
import type { ClientRequest } from '../client-connection.ts'
import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import { Fault } from '../../core/faults.ts'
import { nanoUsd, ONE_PPM } from '../../core/money.ts'
import type { Model } from '../../routing/catalog.ts'
import { IgnoredLimits } from '../ignored-limits.ts'
import type { GatewayParts } from '../parts.ts'
import { BadCredentialThrottle } from '../callers/bad-credentials.ts'
import { prepare } from './prepare.ts'
import { BodiesUnderWay } from '../memory/bodies-under-way.ts'
import type { RequestTrace } from '../request/trace.ts'
import type { Snapshot } from '../snapshot.ts'

const price = nanoUsd(1n)
const group = { id: 'grp_1', name: 'default', multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true }
const model = {
  name: 'small',
  prices: {
    input: price,
    output: price,
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  },
  targets: [{ upstreamId: 'ups_1', model: 'small', priority: 0, weight: 1 }],
  maxOutputTokens: null,
}
const snapshot: Snapshot = {
  groupsById: new Map([['grp_1', group as unknown as Group]]),
  modelsByName: new Map([['small', model as unknown as Model]]),
  upstreamsById: new Map([
    ['ups_1', { upstream: { protocol: 'openai' }, client: null, pool: [], secrets: [] } as never],
  ]),
}
const caller = {
  key: {
    id: 'key_1',
    groupId: 'grp_1',
    fallbackGroupIds: [],
    allowedModels: [],
    allowedIps: [],
    status: 'active',
    expiresAt: null,
    quotaLimit: null,
    rateLimit: null,
  },
  account: { id: 'acc_1', status: 'active' },
  subscriptions: [],
} as unknown as KeyWithOwner

/** A request whose admission is refused for its rate; `closes`: the gateway began to drain while it waited. */
function refusedWhile(closes: boolean): Promise<unknown> {
  let isClosed = false
  const parts = {
    clock: { now: () => 1_790_000_000_000, elapsed: () => 0 },
    addressOf: () => '127.0.0.1',
    closedBecause: () => (isClosed ? new Fault('draining', 'It drains.') : null),
    keyAddresses: { note: () => {} },
    callers: {
      ring: { find: () => caller, isCurrent: () => true },
      hashSecret: (secret: string) => secret,
      throttle: new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 }),
    },
    bodies: new BodiesUnderWay(),
    snapshot: () => snapshot,
    heldInputTokens: 100,
    heldOutputTokens: 100,
    ignoredLimits: new IgnoredLimits(),
    admission: {
      admit: async () => {
        isClosed = closes
        throw new Fault('rate_limited', 'Too many at once.')
      },
    },
  } as unknown as GatewayParts
  const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content: 'hi' }] })
  const request = Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { authorization: 'Bearer secret' },
    socket: {},
  }) as unknown as ClientRequest
  const trace = { wire: 'openai-chat', model: null } as unknown as RequestTrace
  return prepare(request, trace, {
    hasLeft: () => false,
    parts,
    target: { isFree: false, isSameWireOnly: false, upstreamPath: '/chat/completions' },
  })
}

test('a request that is refused by what stood in its way gets the limit headers', async () => {
  await expect(refusedWhile(false)).rejects.toMatchObject({ code: 'rate_limited' })
})

test('where the gateway closed meanwhile, all that waited get that fault', async () => {
  await expect(refusedWhile(true)).rejects.toMatchObject({ code: 'draining' })
})
