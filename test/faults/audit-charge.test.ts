import { expect, test } from 'vitest'
import type { CallRecord } from '../../tools/fake-upstream/books.ts'
import { auditCharge } from './audit-charge.ts'
import type { Evidence } from './evidence.ts'
import { expectedCost, inUsd } from './expected-charge.ts'
import { MENU, type MenuModel } from './menu.ts'
import type { LoadKey } from './orders.ts'
import { shakyNameOf } from './serving-group.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

const [MODEL] = MENU as readonly [MenuModel]
const FIRST = { group: 'first', multiplier: 700_000n }
const NEXT = { group: 'next', multiplier: 1_300_000n }
const KEY = { ...FIRST, fallback: { ...NEXT, except: null } } as LoadKey

/** What is found of a whole answer of a key with two groups, by the target that served it and what its record says. */
function audited(servedAs: string, { group, multiplier }: typeof FIRST): string[] {
  const { input, output, cacheRead, cacheWrite } = MODEL.prices
  const tokens = { input: 30n, output: 20n, cacheRead: 0n, cacheWrite: 0n, cacheWrite1h: null, reasoning: 0n }
  const cost = expectedCost(tokens, MODEL.prices, multiplier)
  const record = {
    id: 'req_1',
    outcome: 'completed',
    fault: null,
    group_name: group,
    model: MODEL.name,
    usage_source: 'reported',
    is_capped: 0n,
    input_tokens: 30n,
    output_tokens: 20n,
    cache_read_tokens: 0n,
    cache_write_tokens: 0n,
    cache_write_1h_tokens: null,
    reasoning_tokens: 0n,
    price_input_nano: input,
    price_output_nano: output,
    price_cache_read_nano: cacheRead,
    price_cache_write_nano: cacheWrite,
    multiplier_ppm: multiplier,
    cost_nano: cost,
  } as unknown as WrittenRecord
  const form = { wire: 'openai-chat', isStream: false }
  const seen = { order: { model: MODEL, key: KEY, form }, cost: inUsd(cost), sawEnd: true } as unknown as Sighting
  const reportedUsage = { input: 30, output: 20, cached: 0, cacheWrite: 0, reasoning: 0 }
  const served = { model: servedAs, wire: 'chat', completed: true, reportedUsage } as CallRecord
  const evidence = { served: { requests: { req_1: served } }, lives: [] } as unknown as Evidence
  return [...auditCharge(seen, record, evidence)]
}

test('a request is charged in the group whose target served it', () => {
  expect(audited(shakyNameOf(MODEL.name), FIRST)).toEqual([])
  expect(audited(MODEL.name, NEXT)).toEqual([])
})

test('one that went on and is charged in its first group is found, by the group and by the amount', () => {
  expect(audited(MODEL.name, FIRST)).toEqual([
    'its group is first, and next served it',
    'its multiplier is 700000, not 1300000',
    expect.stringMatching(/^it costs \d+, and 30 in.* cost \d+$/),
  ])
})

test('one that its first group served and that is charged in the next one is found', () => {
  expect(audited(shakyNameOf(MODEL.name), NEXT)).toHaveLength(3)
})
