import { expect, test } from 'vitest'
import { LEARNED_OF_TARGET_LIMIT, LEARNED_VALUES_OF_TARGET_LIMIT, LEARNING_TARGETS_LIMIT } from '../core/limits.ts'
import { DROPPABLE_SETTING_NAMES } from '../core/request-settings-names.ts'
import type { Target, Upstream } from '../routing/catalog.ts'
import { REMEMBERED_MS, type RefusalNote } from '../routing/learned-refusals.ts'
import { LearnedRefusals } from './learned-refusals.ts'

const upstream = { id: 'ups_1', name: 'one', protocol: 'openai', baseUrl: 'http://up.test' } as Upstream
const targetOf = (model: string, more: Partial<Target> = {}): Target => ({
  upstreamId: 'ups_1',
  model,
  priority: 0,
  weight: 1,
  ...more,
})
const at = (model = 'm', more: Partial<Target> = {}) => ({ upstream, target: targetOf(model, more) })
const TEMPERATURE = { setting: 'temperature', value: null, said: 'no' } as const

function memory() {
  const clock = { ms: 0, now: () => clock.ms }
  const written: RefusalNote[] = []
  const learned = new LearnedRefusals({ clock, onNews: async (note) => void written.push(note) })
  const settings = (where = at()) => learned.of(where).map(({ setting, value }) => value ?? setting)
  return { clock, learned, written, settings }
}

test('what is learned is written down once, and holds for a day', () => {
  const { clock, learned, written, settings } = memory()
  learned.learn(at(), [TEMPERATURE])
  learned.learn(at(), [TEMPERATURE])
  expect([settings(), written.length]).toEqual([['temperature'], 1])
  clock.ms = REMEMBERED_MS - 1
  expect(settings()).toEqual(['temperature'])
  clock.ms = REMEMBERED_MS
  expect(settings()).toEqual([])
  learned.learn(at(), [TEMPERATURE])
  expect([settings(), written.length]).toEqual([['temperature'], 2])
})

test('it holds for the target alone, as it is configured, and not for what is left out by hand', () => {
  const { learned, settings } = memory()
  learned.learn(at(), [TEMPERATURE])
  expect(settings(at('other'))).toEqual([])
  expect(settings(at('m', { priority: 5, weight: 9 }))).toEqual(['temperature'])
  expect(settings(at('m', { fieldsLike: 'gpt-5.5' }))).toEqual([])
  expect(settings(at('m', { droppedSettings: ['temperature'] }))).toEqual([])
  expect(settings({ ...at(), upstream: { ...upstream, baseUrl: 'http://other.test' } })).toEqual([])
  expect(settings({ ...at(), upstream: { ...upstream, passage: { droppedSettings: ['seed'] } } })).toEqual([
    'temperature',
  ])
})

test('two targets with one model, configured differently, each keep what they refuse', () => {
  const { learned, settings, written } = memory()
  const like = at('m', { fieldsLike: 'gpt-5.5' })
  for (let times = 0; times < 3; times++) {
    learned.learn(at(), [TEMPERATURE])
    learned.learn(like, [{ ...TEMPERATURE, setting: 'seed' }])
  }
  expect([settings(), settings(like), written.length]).toEqual([['temperature'], ['seed'], 2])
})

test('a whole setting stands for its values, and single values leave room for settings', () => {
  const { learned, settings } = memory()
  const values = Array.from({ length: 50 }, (_, index) => ({ ...TEMPERATURE, value: `0.${index}` }))
  learned.learn(at(), values)
  expect(settings()).toHaveLength(LEARNED_VALUES_OF_TARGET_LIMIT)
  learned.learn(at(), [TEMPERATURE, { ...TEMPERATURE, value: '0.9' }])
  expect(settings()).toEqual(['temperature'])
  learned.learn(
    at(),
    DROPPABLE_SETTING_NAMES.map((setting) => ({ ...TEMPERATURE, setting })),
  )
  expect(settings()).toHaveLength(LEARNED_OF_TARGET_LIMIT)
})

test('no more targets are remembered than there is room for', () => {
  const { learned, settings } = memory()
  for (let index = 0; index <= LEARNING_TARGETS_LIMIT; index++) learned.learn(at(`m${index}`), [TEMPERATURE])
  expect(settings(at('m0'))).toEqual(['temperature'])
  expect(settings(at(`m${LEARNING_TARGETS_LIMIT}`))).toEqual([])
})

test('what is read takes the place of what was known, but for what is not written yet', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const learned = new LearnedRefusals({ clock: { now: () => 0 }, onNews: () => promise })
  learned.learn(at(), [TEMPERATURE])
  learned.adopt([])
  expect(learned.of(at())).toHaveLength(1)
  resolve()
  await promise
  await Promise.resolve()
  learned.adopt([])
  expect(learned.of(at())).toHaveLength(0)
})
