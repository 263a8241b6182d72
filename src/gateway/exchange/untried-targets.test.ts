import { expect, test } from 'vitest'
import { credentialByHand } from '../../../test/support/candidate-by-hand.ts'
import { readRoute } from '../../routing/route-trace.ts'
import { UpstreamHealth } from '../../routing/upstream-health.ts'
import { type Choosing, UntriedTargets } from './untried-targets.ts'

/** A model with a target at each of these upstreams. */
function world(ids: readonly string[]) {
  const upstreamsById = new Map(
    ids.map((id) => {
      const health = credentialByHand(() => 0.5)
      const pool = [{ credential: null, client: null, health, isDisabled: false }]
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
  return { choosing, rest }
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
