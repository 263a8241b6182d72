import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { partsPerMillion } from '../../core/money.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { refuseUnpricedTerms } from './unpriced.ts'
import type { ChosenModel } from '../request/prepared.ts'

const factor = partsPerMillion(2_000_000n)
const RULES = {
  lengthTiers: [],
  serviceTiers: new Map([['flex', { kind: 'factor', factor }]]),
  geoFactors: new Map([['us', factor]]),
}

/** What is said of a request in this body; null: it passes. */
function refusal(wire: Wire, body: string, rules: object | null = RULES): Fault | null {
  const chosen = { model: { name: 'm' }, prices: { rules: rules ?? undefined } } as unknown as ChosenModel
  try {
    const about = { fromPath: { model: 'm', isStream: false } }
    refuseUnpricedTerms(protocolOf(wire).readRequest(Buffer.from(body), about).terms, chosen)
    return null
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const WIRES = ['openai-chat', 'openai-responses', 'openai-completions', 'anthropic-messages'] as const

/** Each letter of the name as a JSON escape, one after the other, and all of them. */
function spellings(name: string): readonly string[] {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const letters = name.split('')
  const one = letters.map((letter, at) => name.slice(0, at) + escaped(letter) + name.slice(at + 1))
  return [name, ...one, letters.map(escaped).join('')]
}

test.for(
  WIRES.flatMap((wire) => [
    [wire, 'service_tier', 'priority'] as const,
    [wire, 'speed', 'fast'] as const,
    [wire, 'inference_geo', 'eu'] as const,
  ]),
)('%s: %s %s has no price and is refused by name, however it is spelt', ([wire, field, value]) => {
  for (const name of spellings(field)) {
    for (const text of spellings(value)) {
      const fault = refusal(wire, `{"model":"m","max_tokens":9,"${name}":"${text}"}`)
      expect(fault).toMatchObject({ code: 'request_invalid', details: { param: field } })
      expect(fault?.message).toContain(`"${value}"`)
    }
  }
})

test.for(['serviceTier', 'service_tier'])('gemini: %s is refused by name', (field) => {
  for (const name of spellings(field)) {
    for (const text of ['priority', 'PRIORITY', 'SERVICE_TIER_PRIORITY', 'prior\\u0069ty']) {
      expect(refusal('gemini', `{"contents":[],"${name}":"${text}"}`)?.message).toContain('"priority"')
    }
  }
})

test.for(WIRES)('%s: what leaves the choice to the provider passes, and what has a price', (wire) => {
  for (const value of ['"auto"', '"default"', '"standard"', '"standard_only"', '"on_demand"', '"flex"', 'null']) {
    expect(refusal(wire, `{"model":"m","service_tier":${value}}`)).toBeNull()
  }
  expect(refusal(wire, `{"model":"m","speed":"standard","inference_geo":"us"}`)).toBeNull()
  expect(refusal(wire, `{"model":"m","inference_geo":"global"}`, null)).toBeNull()
})

test('a model without any rules refuses every class by name', () => {
  expect(refusal('openai-chat', `{"model":"m","service_tier":"flex"}`, null)?.message).toBe(
    'The model "m" has no price for the service tier "flex" here. Leave `service_tier` out.',
  )
})

test('the refusal names what has a price', () => {
  expect(refusal('openai-chat', `{"model":"m","service_tier":"priority"}`)?.message).toBe(
    'The model "m" has no price for the service tier "priority" here. Leave `service_tier` out, or send one of "flex".',
  )
})

test.for([
  [`{"model":"m","service_tier":"flex","service_tier":"auto"}`, 'more than once'],
  [`{"model":"m","Service_Tier":"flex"}`, 'but for its case'],
  [`{"model":"m","service_tier":7}`, 'must be a string'],
  [`{"model":"m","service_tier":{"a":1}}`, 'must be a string'],
  [`{"model":"m","service_tier":"${'x'.repeat(65)}"}`, 'must be a string of 64 characters'],
  [`{"model":"m","service_tier":"flex","speed":"fast"}`, 'cannot be combined'],
  [`{"model":"m","service_tier":"__proto__"}`, 'no price for the service tier "__proto__"'],
] as const)('%s is refused', ([body, said]) => {
  expect(refusal('openai-chat', body)?.message).toContain(said)
})
