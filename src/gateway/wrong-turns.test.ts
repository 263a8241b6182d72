import { describe, expect, test } from 'vitest'
import type { KeyWithOwner } from '../access/api-key.ts'
import { stopOf } from '../access/key-stop.ts'
import { explainChinese } from '../causes/chinese.ts'
import { explainEnglish, saidToCaller } from '../causes/english.ts'
import { explainedFault } from '../causes/explained-fault.ts'
import { fixesOf } from '../causes/fixes.ts'
import { mistakeIn } from '../causes/key-mistakes.ts'
import { readPasted } from '../causes/pasted-text.ts'
import { reportedFault } from '../causes/reported-fault.ts'
import { saidSentence } from '../causes/said-facts.ts'
import { checksumOf } from '../causes/secret-checksum.ts'
import { strangerFacts } from '../causes/stranger-key.ts'
import { readFacts, writtenFacts } from '../core/fault-facts.ts'
import { Fault, type FaultCode } from '../core/faults.ts'
import { nanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import { plainMessage } from '../core/plain-fault.ts'
import { balanceExhausted, capExhausted, limitReached, type Shortage } from '../metering/admission/exhaustion.ts'
import type { Budget } from '../metering/budgets/budget.ts'
import { authorize } from './arrival/gate.ts'
import { recognise } from './arrival/paths.ts'
import { faultOfNoAnswer, faultOfRefusal } from './upstream-faults.ts'

const NO_WORDS = { message: null, type: null, code: null, param: null }
const ORIGIN = 'https://gate.example.test'
const NOW = Date.UTC(2026, 10, 23, 12)
const BODY = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
const SECRET = BODY + checksumOf(BODY)
const END = SECRET.slice(-4)
const shortage: Shortage = {
  needed: nanoUsd(16_389_750n),
  available: ZERO_NANO_USD,
  limit: ZERO_NANO_USD,
  endsAt: null,
  window: null,
  nowMs: NOW,
  advice: {},
}

function malformed(presented: string): Fault {
  return explainedFault('key_malformed', mistakeIn(presented) ?? {})
}

function thrown(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('nothing was refused')
}

function callerWith(key: object): KeyWithOwner {
  const whole = { secretEnd: END, overlap: null, expiresAt: null, status: 'active', allowedIps: [], ...key }
  return { key: whole, account: { status: 'active' } } as unknown as KeyWithOwner
}

function stopped(key: object): Fault {
  return stopOf(callerWith(key), NOW) ?? thrown(() => {})
}

interface Turn {
  readonly fault: () => Fault
  readonly code: FaultCode
  /** What both languages say of this very request, and the general words do not. */
  readonly says: readonly string[]
  /** The kinds of the buttons that fix it. */
  readonly fixes: readonly string[]
}

const TURNS: Readonly<Record<string, Turn>> = {
  'the last four characters missing': {
    fault: () => malformed(SECRET.slice(0, -4)),
    code: 'key_malformed',
    says: ['4', SECRET.slice(-8, -4)],
    fixes: ['rotate_key'],
  },
  'the first four characters missing': {
    fault: () => malformed(SECRET.slice(4)),
    code: 'key_malformed',
    says: ['4', 'sk-tg-'],
    fixes: ['rotate_key'],
  },
  'quotation marks around the key': {
    fault: () => malformed(`"${SECRET}"`),
    code: 'key_malformed',
    says: [END],
    fixes: [],
  },
  'a changed character in the key': {
    fault: () => malformed(SECRET.replace('7', '8')),
    code: 'key_malformed',
    says: [END],
    fixes: ['rotate_key'],
  },
  'a key of OpenAI': {
    fault: () => explainedFault('key_unknown', strangerFacts(`sk-proj-${'aB3'.repeat(16)}`)),
    code: 'key_unknown',
    says: ['OpenAI'],
    fixes: ['create_key'],
  },
  'a key of another gateway': {
    fault: () => explainedFault('key_unknown', strangerFacts(SECRET)),
    code: 'key_unknown',
    says: [END],
    fixes: ['rotate_key'],
  },
  'no key': {
    fault: () => explainedFault('key_missing', {}),
    code: 'key_missing',
    says: ['Authorization: Bearer', 'x-api-key', 'x-goog-api-key'],
    fixes: [],
  },
  'a base URL with /chat/completions': {
    fault: () => thrown(() => recognise('POST', '/v1/chat/completions/chat/completions', ORIGIN)),
    code: 'base_url_wrong',
    says: [`${ORIGIN}/v1`],
    fixes: ['copy_base_url'],
  },
  'a base URL with /v1/messages': {
    fault: () => thrown(() => recognise('POST', '/v1/messages/v1/messages', ORIGIN)),
    code: 'base_url_wrong',
    says: [ORIGIN],
    fixes: ['copy_base_url'],
  },
  'a path that means nothing': {
    fault: () => thrown(() => recognise('POST', '/v2/foo', ORIGIN)),
    code: 'path_unknown',
    says: ['/v2/foo', ORIGIN],
    fixes: ['copy_base_url', 'copy_base_url'],
  },
  'GET where POST is served': {
    fault: () => thrown(() => recognise('GET', '/v1/chat/completions', ORIGIN)),
    code: 'path_unknown',
    says: ['/v1/chat/completions', 'POST', 'GET'],
    fixes: [],
  },
  'a misspelt model': {
    fault: () => explainedFault('model_unknown', { model: 'demo/ecko', near: ['demo/echo'] }),
    code: 'model_unknown',
    says: ['demo/ecko', 'demo/echo'],
    fixes: ['copy_model', 'show_models'],
  },
  'a model that is not in the group': {
    fault: () => explainedFault('model_not_in_group', { model: 'gpt-5.5', groups: ['team'], allowed: ['a', 'b'] }),
    code: 'model_not_in_group',
    says: ['gpt-5.5', 'team', 'a', 'b'],
    fixes: ['edit_key', 'show_models'],
  },
  'a model that the key may not call': {
    fault: () => explainedFault('model_not_allowed', { model: 'gpt-5.5', allowed: ['demo/echo'] }),
    code: 'model_not_allowed',
    says: ['gpt-5.5', 'demo/echo'],
    fixes: ['allow_model', 'copy_model'],
  },
  'a model without a price': {
    fault: () => explainedFault('model_unpriced', { model: 'gpt-5.5' }),
    code: 'model_unpriced',
    says: ['gpt-5.5'],
    fixes: ['show_models', 'ask_admin'],
  },
  'a balance of 0': {
    fault: () => balanceExhausted(shortage),
    code: 'balance_exhausted',
    says: ['$0.01638975', '$0'],
    fixes: ['add_credit', 'ask_admin'],
  },
  'a quota that never resets': {
    fault: () => capExhausted({ kind: 'key_quota' } as Budget, { ...shortage, limit: nanoUsd(2_000_000_000n) }),
    code: 'key_quota_exhausted',
    says: ['$0.01638975'],
    fixes: ['edit_key'],
  },
  'a limit of 0 requests a minute': {
    fault: () =>
      limitReached(
        { limit: 'requests', max: 0, used: 0, waitMs: Infinity, part: 0, nodes: 1 },
        { input: 7, output: 5 },
      ),
    code: 'rate_limited',
    says: ['0'],
    fixes: ['edit_key'],
  },
  'an address that is not allowed': {
    fault: () =>
      thrown(() => authorize(callerWith({ allowedIps: ['10.0.0.0/8'] }), { address: '203.0.113.7', nowMs: NOW })),
    code: 'ip_not_allowed',
    says: ['203.0.113.7'],
    fixes: ['allow_address'],
  },
  'a disabled key': {
    fault: () => stopped({ status: 'disabled', statusChangedAt: NOW }),
    code: 'key_disabled',
    says: [END, '2026-11-23'],
    fixes: ['enable_key'],
  },
  'an expired key': {
    fault: () => stopped({ expiresAt: NOW }),
    code: 'key_expired',
    says: [END, '2026-11-23'],
    fixes: ['edit_key'],
  },
}

describe.each(Object.entries(TURNS))('%s', (_, { fault: made, code, says, fixes }) => {
  const fault = made()
  const kept = readFacts(code, writtenFacts(fault)) ?? {}

  test('is said to the caller, and again from what its record keeps', () => {
    expect(fault.code).toBe(code)
    expect(saidToCaller(code, kept, plainMessage(code))).toBe(fault.message)
    expect(fault.message).not.toBe(plainMessage(code))
    expect(JSON.stringify(kept)).not.toContain(SECRET.slice(6, 20))
  })

  test('is explained by its own facts in both languages, with its fixes', () => {
    for (const explanation of [explainEnglish(code, kept), explainChinese(code, kept)]) {
      const text = `${explanation?.cause} ${explanation?.remedy}`
      for (const part of says) expect(text).toContain(part)
    }
    expect(fixesOf(code, kept).map(({ kind }) => kind)).toEqual(fixes)
  })

  test('is known to Diagnose by what the terminal showed', () => {
    expect(reportedFault(fault.message)).toBe(code)
    const printed = `API Error: 401 {"error":{"message":${JSON.stringify(fault.message)}}}`
    const said = saidSentence(printed, code)?.facts ?? null
    expect(explainChinese(code, said ?? {})).toEqual(explainChinese(code, kept))
    expect(fixesOf(code, said)).toEqual(fixesOf(code, kept))
    const { found } = readPasted(printed, { origin: ORIGIN })
    expect(found).toEqual([{ code, facts: said }])
  })
})

test.for<[string, () => Fault, FaultCode]>([
  [
    'an overloaded upstream',
    () => faultOfRefusal({ status: 503, error: NO_WORDS, account: null, restMs: null }),
    'upstream_overloaded',
  ],
  [
    'an upstream that fails',
    () => faultOfRefusal({ status: 500, error: NO_WORDS, account: null, restMs: null }),
    'upstream_unavailable',
  ],
  ['an upstream that answers something else', () => faultOfNoAnswer(), 'upstream_malformed'],
])('%s is explained by the sentence that its record keeps', ([, made, code]) => {
  const fault = made()
  const kept = readFacts(code, writtenFacts(fault)) ?? {}
  expect(fault.code).toBe(code)
  expect(saidToCaller(code, kept, plainMessage(code))).toBe(fault.message)
})

test('a base URL without /v1, or with it twice, works', () => {
  for (const path of ['/chat/completions', '/v1/v1/chat/completions']) {
    expect(recognise('POST', path, ORIGIN).route).toMatchObject({ kind: 'generate', wire: 'openai-chat' })
  }
})
