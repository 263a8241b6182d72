import { describe, expect, test } from 'vitest'
import { type FactValues, type FaultFacts, KEY_MISTAKES } from '../core/fact-values.ts'
import { boundedFacts, factNames, readFacts, writtenFacts } from '../core/fault-facts.ts'
import { Fault, type FaultCode, FAULTS } from '../core/faults.ts'
import { FAULT_FACTS_LIMIT_BYTES } from '../core/limits.ts'
import { plainMessage } from '../core/plain-fault.ts'
import { explainChinese } from './chinese.ts'
import { explainEnglish, saidToCaller } from './english.ts'
import { explainedFault } from './explained-fault.ts'
import { RIGHTS } from '../core/roles.ts'
import { fixesOf } from './fixes.ts'

const CODES = Object.keys(FAULTS) as FaultCode[]

/** A value for every fact, so that each fault can be asked for with any of its facts absent. */
const VALUES: FactValues = {
  mistake: 'missing',
  missing: 4,
  extra: 2,
  length: 900,
  where: 'end',
  line_break: true,
  characters: ['","', 'U+200B', '"!"', '"?"'],
  end: 'aB3x',
  new_end: 'Zz91',
  foreign: 'OpenAI',
  access_token: true,
  replaced: true,
  device: true,
  at: '2026-11-22T12:00:00Z',
  address: '203.0.113.7',
  group: 'default',
  groups: ['default', 'team'],
  plan: 'pro',
  from: '2026-11-01T00:00:00Z',
  until: '2026-12-01T00:00:00Z',
  model: 'gpt-5.5',
  near: ['gpt-5.4'],
  allowed: ['demo/echo', 'demo/tools'],
  has_more: true,
  endpoint: '/v1/chat/completions',
  lacks: 'price.per_image',
  needed_usd: '0.01638975',
  left_usd: '0.5',
  limit_usd: '2',
  balance_usd: '0.25',
  input_usd: '0.003',
  affordable_tokens: 500,
  window: '5h',
  resets_at: '2026-11-22T15:00:00Z',
  wait_s: 10_800,
  scope: 'key',
  limit: 'requests',
  max: 10,
  used: 10,
  input_tokens: 20,
  output_tokens: 100,
  part: 5,
  nodes: 2,
  path: '/v2/foo',
  method: 'GET',
  takes: 'POST',
  served: 'POST /v1/chat/completions',
  enter: 'https://gate.example.test/v1',
  origin: 'https://gate.example.test',
  why: 'credential',
  param: 'model',
  limit_mb: 32,
  status: 413,
  is_quoted: false,
  said: 'A sentence of the gateway.',
}

function valuesOf(code: FaultCode): FaultFacts {
  const {
    said: _,
    is_quoted: __,
    ...rest
  } = Object.fromEntries(factNames(code).map((name) => [name, VALUES[name]])) as FaultFacts
  return rest
}

const LIMITS = ['concurrency', 'tokens', 'spend'] as const

/** All facts, none, each alone, and each one absent. */
function variantsOf(code: FaultCode): readonly FaultFacts[] {
  const all = Object.entries(valuesOf(code))
  return [
    Object.fromEntries(all),
    {},
    ...all.map(([name, value]) => ({ [name]: value })),
    ...all.map(([name]) => Object.fromEntries(all.filter(([other]) => other !== name))),
    ...(code === 'key_malformed' ? KEY_MISTAKES.map((mistake) => ({ ...Object.fromEntries(all), mistake })) : []),
    ...(code === 'key_malformed' ? KEY_MISTAKES.map((mistake) => ({ mistake })) : []),
    ...(code === 'rate_limited' ? LIMITS.map((limit) => ({ ...Object.fromEntries(all), limit })) : []),
    ...(code === 'rate_limited' ? LIMITS.map((limit) => ({ ...Object.fromEntries(all), limit, max: 0 })) : []),
  ]
}

describe.each(CODES)('the facts of %s', (code) => {
  test('are written in both languages or in neither, in whole sentences without holes', () => {
    for (const facts of variantsOf(code)) {
      const english = explainEnglish(code, facts)
      const chinese = explainChinese(code, facts)
      expect(chinese === null, JSON.stringify(facts)).toBe(english === null)
      if (english === null || chinese === null) continue
      for (const text of [english.cause, english.remedy]) expect(text).toMatch(/^[^\u4e00-\u9fff]+[.?]$/u)
      for (const text of [chinese.cause, chinese.remedy]) {
        expect(text).toMatch(/[\u4e00-\u9fff]/u)
        expect(text).toMatch(/[。？]$/)
      }
      for (const text of [...Object.values(english), ...Object.values(chinese)]) {
        expect(text).not.toMatch(/undefined|null|NaN|\[object|\$\$/)
      }
    }
  })

  test('lead to three fixes at the most, whatever of them is there', () => {
    for (const facts of [...variantsOf(code), null]) {
      expect(fixesOf(code, facts).length).toBeLessThanOrEqual(3)
      expect(fixesOf(code, facts, RIGHTS).length).toBeLessThanOrEqual(3)
    }
  })

  test('survive being written and read, and say the same as before', () => {
    for (const facts of variantsOf(code)) {
      const fault = explainedFault(code, facts)
      const written = writtenFacts(fault)
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(FAULT_FACTS_LIMIT_BYTES)
      const read = readFacts(code, written)
      expect(read).not.toBeNull()
      if (read !== null) expect(saidToCaller(code, read, plainMessage(code))).toBe(fault.message)
    }
  })
})

test('what never resets is not to be waited for, and nothing is to be waited for under a limit of 0', () => {
  const never = { needed_usd: '1', left_usd: '0', limit_usd: '0.5' }
  const waits = /\bwait|重试|等待重置/i
  for (const [code, facts] of [
    ['key_quota_exhausted', never],
    ['key_quota_exhausted', { ...never, limit_usd: '0', resets_at: '2026-11-23T00:00:00Z', wait_s: 60 }],
    ['rate_limited', { limit: 'requests', max: 0, used: 0, scope: 'key' }],
    ['rate_limited', { limit: 'concurrency', max: 0, used: 0, scope: 'account' }],
    ['rate_limited', { ...never, limit: 'spend', limit_usd: '0', window: '5h', scope: 'key' }],
  ] as const) {
    expect(explainEnglish(code, facts)?.remedy).not.toMatch(waits)
    expect(explainChinese(code, facts)?.remedy).not.toMatch(waits)
    expect(explainEnglish(code, facts)?.cause).not.toMatch(/resets at/)
  }
  expect(explainEnglish('key_quota_exhausted', never)?.cause).toContain('It does not reset by itself.')
})

test('ways out of a full spend window are one sentence, however many there are', () => {
  const full = { limit: 'spend', limit_usd: '1', window: '5h', scope: 'key' } as const
  const remedyOf = (facts: FaultFacts) => explainEnglish('rate_limited', facts)?.remedy
  expect(remedyOf(full)).toBe("Raise the key's spend limit, use another key, or send a smaller request.")
  expect(remedyOf({ ...full, limit_usd: '0' })).toBe("Raise the key's spend limit, or use another key.")
  const ofAccount = { ...full, scope: 'account' } as const
  expect(remedyOf(ofAccount)).toBe("Ask an admin to raise the account's spend limit, or send a smaller request.")
  expect(remedyOf({ ...ofAccount, limit_usd: '0' })).toBe("Ask an admin to raise the account's spend limit.")
})

test('a sentence of the gateway without facts is kept; one of a provider is not', () => {
  const ours = new Fault('request_invalid', 'The field `n` must be a whole number.', { param: 'n' })
  expect(readFacts('request_invalid', writtenFacts(ours))).toEqual({ said: ours.message, param: 'n' })
  const theirs = new Fault('upstream_rejected', 'My prompt is in here.', { status: 400, isQuoted: true })
  const facts = readFacts('upstream_rejected', writtenFacts(theirs))
  expect(facts).toEqual({ is_quoted: true, status: 400 })
  expect(saidToCaller('upstream_rejected', facts ?? {}, 'plain')).toBeNull()
})

test('facts of any size are kept within their bound, as what the caller got is', () => {
  const long = 'm'.repeat(500)
  const names = Array.from({ length: 40 }, (_, i) => `${'界'.repeat(60)}${i}`)
  const fault = explainedFault('model_not_allowed', { model: long, allowed: names, groups: names, near: [] })
  const written = writtenFacts(fault)
  expect(Buffer.byteLength(written)).toBeLessThanOrEqual(FAULT_FACTS_LIMIT_BYTES)
  expect(saidToCaller('model_not_allowed', readFacts('model_not_allowed', written) ?? {}, '')).toBe(fault.message)
})

test('what has the form of a key is left out of every fact', () => {
  const secret = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd073B4U'
  for (const [name, value] of Object.entries(
    boundedFacts({ model: secret, said: `x ${secret} y`, allowed: [secret] }),
  )) {
    expect(JSON.stringify(value), name).not.toContain('0123')
  }
})

test('facts of another version are left out, and what cannot be read is none', () => {
  expect(readFacts('key_missing', null)).toBeNull()
  expect(readFacts('key_missing', '{')).toBeNull()
  expect(readFacts('key_missing', '[]')).toBeNull()
  expect(readFacts('ip_not_allowed', '{"address":"::1","moon":"full","said":{"a":1}}')).toEqual({ address: '::1' })
})
