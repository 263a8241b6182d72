import { beforeEach, expect, test } from 'vitest'
import type { Figures, Value } from '../../../telemetry/figures.ts'
import { TroubleWatch } from './trouble-watch.ts'

let said: string[] = []
let errors: unknown[] = []
let isAway = false
let watch: TroubleWatch

beforeEach(() => {
  said = []
  errors = []
  isAway = false
  watch = new TroubleWatch({
    tell: async ({ kind, about }) => {
      if (isAway) throw new Error('away')
      said.push(about === '' ? kind : `${kind} ${about}`)
    },
    onError: (error) => errors.push(error),
  })
})

function look(...values: Value[]): Promise<void> {
  const storeUp: Value = { of: 'storeUp', labels: [], value: 1 }
  const hasStore = values.some(({ of }) => of === 'storeUp')
  const figures: Figures = { values: hasStore ? values : [...values, storeUp], distributions: [] }
  return watch.look(figures)
}

function held(credential: string, threads: number): Value {
  return { of: 'credentialState', labels: ['main', credential, 'held'], value: threads }
}

function requests(model: string, [outcome, fault]: readonly [string, string], value: number): Value {
  return { of: 'requests', labels: ['openai-chat', model, 'default', outcome, fault], value }
}

test('a credential that is held is said once while it is, and anew when it is again', async () => {
  await look(held('a', 1), held('b', 0))
  await look(held('a', 2), held('b', 0))
  expect(said).toEqual(['credential_held main / a'])
  await look(held('a', 0), held('b', 1))
  await look(held('a', 1), held('b', 1))
  expect(said).toEqual(['credential_held main / a', 'credential_held main / b', 'credential_held main / a'])
})

test('a credential that reaches its cap for the day is said once, and again on another day', async () => {
  const capped = (value: number): Value => ({ of: 'spendCapUsed', labels: ['main', 'a', ''], value })
  await look(capped(0))
  await look(capped(1))
  await look(capped(1))
  expect(said).toEqual(['credential_spend_cap main / a'])
  await look(capped(0))
  await look(capped(1))
  expect(said).toHaveLength(2)
})

test('four fifths of a cap are said by its upstream, credential or model, and reaching it apart from that', async () => {
  const capped = (...parts: readonly number[]) =>
    [
      ['main', '', ''],
      ['main', 'a', ''],
      ['main', '', 'm'],
    ].map((labels, i): Value => ({ of: 'spendCapUsed', labels, value: parts[i] ?? 0 }))
  await look(...capped(0.79, 0.8, 0.99))
  expect(said).toEqual(['spend_cap_near main / a', 'spend_cap_near main / m'])
  await look(...capped(1, 0.8, 1.5))
  expect(said.slice(2)).toEqual(['upstream_spend_cap main', 'target_spend_cap main / m'])
})

test('a model is unserved when five requests in a row failed at their upstreams, and well with the first answer', async () => {
  const failed = (count: number) => requests('m', ['failed', 'upstream_unavailable'], count)
  await look(failed(4), requests('other', ['refused', 'model_unknown'], 90), requests('n', ['failed', 'internal'], 9))
  expect(said).toEqual([])
  await look(failed(5))
  expect(said).toEqual(['model_unserved m'])
  await look(failed(9), requests('m', ['completed', 'none'], 1))
  await look(failed(12), requests('m', ['completed', 'none'], 1))
  expect(said).toHaveLength(1)
  await look(failed(14), requests('m', ['completed', 'none'], 1))
  expect(said).toHaveLength(2)
})

test('what the caller did wrong makes no model unserved', async () => {
  await look(requests('m', ['failed', 'upstream_rejected'], 50))
  expect(said).toEqual([])
})

test('an old backup is said once while it lasts, and again when it is old again', async () => {
  const none: Figures = { distributions: [], values: [] }
  for (const isOld of [false, true, true, false, true]) await watch.look(none, isOld)
  expect(said.filter((each) => each.startsWith('backup_old'))).toHaveLength(2)
})

test('each settlement that is set aside is said', async () => {
  for (const value of [0, 1, 1, 3]) await look({ of: 'setAside', labels: [], value })
  expect(said).toEqual(['settlement_set_aside', 'settlement_set_aside'])
})

test('a database that is away for two looks is said, once', async () => {
  const up = (value: number): Value => ({ of: 'storeUp', labels: [], value })
  for (const value of [0, 1, 0]) await look(up(value))
  expect(said).toEqual([])
  for (const value of [0, 0, 0]) await look(up(value))
  expect(said).toEqual(['store_failing'])
})

test('what could not be noted is said at the next look', async () => {
  isAway = true
  await look(held('a', 1))
  isAway = false
  await look(held('a', 1))
  expect(said).toEqual(['credential_held main / a'])
  expect(errors).toHaveLength(1)
})
