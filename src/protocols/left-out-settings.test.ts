import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DROPPABLE_SETTING_NAMES, DROPPABLE_SETTINGS } from '../core/request-settings-names.ts'
import { withoutSettings } from './left-out-settings.ts'

const lean = (text: string, ...settings: readonly (typeof DROPPABLE_SETTING_NAMES)[number][]) => {
  const { body, dropped } = withoutSettings(Buffer.from(text), settings)
  return { text: body.toString(), dropped }
}

test.for([
  ['{"temperature":1,"model":"m"}', '{"model":"m"}'],
  ['{"model":"m","temperature":1}', '{"model":"m"}'],
  ['{"model":"m", "temperature" : 0.5 ,\n "n":1}', '{"model":"m" ,\n "n":1}'],
  ['{"temperature":1}', '{}'],
  ['{"temperature":1,"temperature":2,"a":{"temperature":3}}', '{"a":{"temperature":3}}'],
  ['{"temperatur\\u0065":1,"b":2}', '{"b":2}'],
  ['{"generationConfig":{"temperature":1,"maxOutputTokens":9}}', '{"generationConfig":{"maxOutputTokens":9}}'],
] as const)('a setting is cut out wherever it stands, and every other byte stays: %s', ([before, after]) => {
  expect(lean(before, 'temperature').text).toBe(after)
})

test('what was cut out is named by its path, and what is not there is not', () => {
  const body = '{"reasoning":{"effort":"high","summary":"auto"},"text":{"verbosity":"low"},"top_p":1}'
  expect(lean(body, 'reasoning_effort', 'verbosity', 'temperature')).toEqual({
    text: '{"reasoning":{"summary":"auto"},"text":{},"top_p":1}',
    dropped: ['reasoning.effort', 'text.verbosity'],
  })
})

test.for(['{"text":"a word"}', '{"text":null}', '[]', '{"temperature":', ''])(
  'a body that has no such field, or is not JSON, stays as it is: %s',
  (body) => {
    expect(lean(body, 'verbosity', 'temperature')).toEqual({ text: body, dropped: [] })
  },
)

test('the rest reads as if the settings had never been written, whatever stands beside them', () => {
  const names = DROPPABLE_SETTING_NAMES
  const field = fc.oneof(fc.constantFrom(...names, 'model', 'x'), fc.string())
  fc.assert(
    fc.property(fc.dictionary(field, fc.jsonValue()), fc.subarray([...names]), fc.nat(2), (body, settings, space) => {
      const { text } = lean(JSON.stringify(body, null, space), ...settings)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(without(body, settings))))
    }),
  )
})

function without(
  body: Readonly<Record<string, unknown>>,
  settings: readonly (typeof DROPPABLE_SETTING_NAMES)[number][],
) {
  const rest = structuredClone(body) as Record<string, unknown>
  for (const path of settings.flatMap((name) => DROPPABLE_SETTINGS[name])) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let at: unknown = rest
    for (const key of keys) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
    if (isRecord(at)) delete at[last]
  }
  return rest
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
