import { expect, test } from 'vitest'
import { credentialByHand } from '../../../test/support/candidate-by-hand.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { readRoute } from '../../routing/route-trace.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { type Choosing, UntriedTargets } from './plan.ts'

/** A model with a target at each of these upstreams, each with a credential of that realm (a provider organisation); null: without one. */
function world(ids: readonly string[], realms: Readonly<Record<string, string>> = {}) {
  const upstreamsById = new Map(
    ids.map((id) => {
      const health = credentialByHand(() => 0.5)
      const realm = realms[id]
      const credential = realm === undefined ? null : { ...unlimitedCredential(''), realm }
      const pool = [{ credential, client: null, health, isDisabled: false }]
      return [id, { upstream: { id, name: id, protocol: 'openai' }, pool, health: new UpstreamHealth(() => 0.5) }]
    }),
  )
  const targets = ids.map((upstreamId) => ({ upstreamId, model: 'm', priority: 0, weight: 1 }))
  const choosing = {
    chosen: { model: { id: 'mod_1', name: 'm', targets }, targets, group: { id: 'grp_1' } },
    snapshot: { upstreamsById },
    affinity: null,
    caller: { account: { id: 'acc_1' } },
    isSameWireOnly: false,
    protocol: { wire: 'openai-chat' },
    adapters: { isSameWire: () => true },
  } as unknown as Choosing
  const rest = (id: string, restMs: number | null) => {
    for (let i = 0; i < 3; i++) {
      const about = { failure: 'failed', restMs, callerId: `acc_${i}` } as const
      upstreamsById.get(id)?.pool[0]?.health.of('m').failed(0, 0, about)
    }
  }
  /** Sends as many retries to an upstream as it takes within a minute. */
  const fill = (id: string) => {
    const retries = upstreamsById.get(id)?.health.retries
    for (let i = 0; i < 100 && retries?.hasRoom(6_000) === true; i++) retries.count(6_000, true)
  }
  return { choosing, rest, fill }
}

test('where fewer than one in four may be asked, a record says that one was asked although it rests', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const { choosing, rest } = world(ids)
  for (const id of ids.slice(1)) rest(id, null)
  const chance = { value: 0 }
  const untried = new UntriedTargets(choosing, () => chance.value)
  // One in ten such requests finds out how those that rest are.
  const found = untried.choose(10, { isRetry: false })
  expect(found.kind === 'take' && found.candidate.target.upstreamId).not.toBe('a')
  const [first, ...others] = readRoute(untried.notes.written() ?? '').steps
  expect([first?.reason, first?.name === 'a', others.length]).toEqual(['panic', false, 4])
  expect(others.find(({ name }) => name === 'a')?.reason).toBe('not_needed')
  chance.value = 0.5
  const plain = new UntriedTargets(choosing, () => chance.value)
  plain.choose(10, { isRetry: false })
  expect(readRoute(plain.notes.written() ?? '').steps[0]).toMatchObject({ name: 'a', reason: 'taken' })
})

test('the last attempt goes to another upstream than the two before it where one may be asked', () => {
  const { choosing } = world(['main', 'spare'])
  const [main, spare] = choosing.chosen.targets
  if (main === undefined || spare === undefined) throw new Error('there are two')
  const { upstreamsById } = choosing.snapshot
  const inUse = upstreamsById.get('main')
  const [one] = inUse?.pool ?? []
  if (inUse === undefined || one === undefined) throw new Error('it has one credential')
  const pool = ['one', 'two', 'three'].map((name) => {
    const credential = { ...unlimitedCredential(''), name }
    return { ...one, credential, health: credentialByHand(() => 0.5) }
  })
  const many = { ...choosing.snapshot, upstreamsById: new Map(upstreamsById).set('main', { ...inUse, pool }) }
  const behind = { ...spare, priority: 1 }
  const chosen = { ...choosing.chosen, targets: [main, behind] }
  const untried = new UntriedTargets({ ...choosing, chosen, snapshot: many }, () => 0.5)
  expect([sent(untried, false), sent(untried, true), sent(untried, true)]).toEqual(['main', 'main', 'spare'])
  const alone = { ...choosing, chosen: { ...choosing.chosen, targets: [main] }, snapshot: many }
  const only = new UntriedTargets(alone, () => 0.5)
  expect([sent(only, false), sent(only, true), sent(only, true)]).toEqual(['main', 'main', 'main'])
})

/** The first two targets are those of its group, the third one is that of the next. */
function inTwoGroups(choosing: Choosing) {
  const { chosen } = choosing
  const next = { chosen: { ...chosen, targets: chosen.targets.slice(2) }, affinity: null }
  return new UntriedTargets(
    { ...choosing, chosen: { ...chosen, targets: chosen.targets.slice(0, 2) } },
    () => 0.5,
    () => [next],
  )
}

/** Where it is sent at that moment. */
function sent(untried: UntriedTargets, isRetry: boolean): string {
  const choice = untried.choose(6_000, { isRetry })
  if (choice.kind !== 'take') throw new Error('one may be asked')
  untried.remove(choice.candidate)
  return choice.candidate.target.upstreamId
}

test('one that failed goes on in the next group, where one is well, before it finds out about others of its own', () => {
  const { choosing, rest } = world(['a', 'b', 'c'])
  for (const id of ['a', 'b']) rest(id, 5_000)
  const untried = inTwoGroups(choosing)
  // Their rest is over, and the first request finds out whether they are well.
  expect(['a', 'b']).toContain(sent(untried, false))
  expect(sent(untried, true)).toBe('c')
  expect(['a', 'b']).toContain(sent(untried, true))
  rest('c', 5_000)
  const noneIsWell = inTwoGroups(choosing)
  expect(['a', 'b']).toContain(sent(noneIsWell, false))
  expect(['a', 'b']).toContain(sent(noneIsWell, true))
})

test('the first attempt finds out about a target only where a failure could go on to one that is well', () => {
  const { choosing, rest, fill } = world(['a', 'b', 'c'])
  for (const id of ['a', 'b']) rest(id, 5_000)
  fill('c')
  expect(sent(inTwoGroups(choosing), false)).toBe('c')
  rest('c', 5_000)
  expect(['a', 'b']).toContain(sent(inTwoGroups(choosing), false))
  const bound = world(['a', 'b', 'c'], { a: 'org', b: 'org', c: 'other' })
  for (const id of ['a', 'b']) bound.rest(id, 5_000)
  bound.fill('c')
  const untried = inTwoGroups({ ...bound.choosing, binding: { providerOrg: 'realm org', fingerprints: [] } })
  expect(['a', 'b']).toContain(sent(untried, false))
})

test('a request that is bound to an organisation stays in its group while another credential of it may be asked there', () => {
  const { choosing, rest } = world(['a', 'b', 'c'], { a: 'org', b: 'org', c: 'other' })
  for (const id of ['a', 'b']) rest(id, 5_000)
  const untried = inTwoGroups({ ...choosing, binding: { providerOrg: 'realm org', fingerprints: [] } })
  expect(['a', 'b']).toContain(sent(untried, false))
  expect(['a', 'b']).toContain(sent(untried, true))
  expect(sent(untried, true)).toBe('c')
})

test('a record keeps of a target that it was passed over since it was in doubt, and not that it was well', () => {
  const { choosing, rest } = world(['a', 'b', 'c'])
  const traceOf = () => {
    const untried = new UntriedTargets(choosing, () => 0.5)
    sent(untried, false)
    return Object.fromEntries(readRoute(untried.notes.written() ?? '').steps.map(({ name, reason }) => [name, reason]))
  }
  expect(Object.values(traceOf()).toSorted()).toEqual(['not_needed', 'not_needed', 'taken'])
  rest('b', 5_000)
  const { b, ...others } = traceOf()
  expect(b).toBe('doubt')
  expect(Object.values(others).toSorted()).toEqual(['not_needed', 'taken'])
})
