import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../test/support/growth.ts'
import { explainAnswered } from './answerer-texts.ts'
import { answeredIn, isAnswerer } from './answerers.ts'
import { CONNECTION_FAILURES, connectionFailureIn } from './connection-failures.ts'
import { explainFailure } from './connection-texts.ts'
import type { Explanation } from './explanation.ts'
import { PASTED_CHARACTERS, statusIn } from './pasted-parts.ts'
import { readPasted } from './pasted-text.ts'
import { explainStatus } from './status-texts.ts'

const ANSWERERS = ['openai', 'anthropic', 'litellm', 'new_api', 'fastapi', 'go_server', 'nginx', 'cloudflare'] as const
const STATUSES = [301, 308, 400, 401, 402, 403, 404, 405, 407, 408, 409, 413, 415, 418, 422, 426, 429, 431, 451, 499]
const MORE_STATUSES = [500, 502, 503, 504, 511, 520, 521, 522, 523, 524, 525, 526, 529, 530, 599]

function inBoth(explain: (language: 'en' | 'zh') => Explanation): void {
  const [english, chinese] = [explain('en'), explain('zh')]
  for (const text of [english.cause, english.remedy]) expect(text).toMatch(/^[^\u4e00-\u9fff]+[.]$/u)
  for (const text of [chinese.cause, chinese.remedy]) expect(text).toMatch(/[\u4e00-\u9fff].*。$/u)
  for (const text of [...Object.values(english), ...Object.values(chinese)]) {
    expect(text).not.toMatch(/undefined|null|NaN|\$/)
  }
}

test.for(CONNECTION_FAILURES)('%s is explained in both languages, in whole sentences', (failure) => {
  inBoth((language) => explainFailure(failure, language))
})

test.for([...STATUSES, ...MORE_STATUSES])(
  'status %i alone is explained in both languages, and asks for more',
  (status) => {
    inBoth((language) => explainStatus(status, language))
    expect(explainStatus(status, 'en').cause).toContain(String(status))
    expect(explainStatus(status, 'en').remedy).toContain('x-tollgate-fault')
  },
)

test.for(ANSWERERS)(
  'an answer of %s is explained in both languages, whatever its status and however sure it is',
  (by) => {
    expect(isAnswerer(by)).toBe(true)
    for (const status of [null, 200, 401, 403, 404, 413, 429, 502, 504]) {
      for (const isSure of [true, false]) inBoth((language) => explainAnswered({ by, isSure }, status, language))
    }
  },
)

test('a text takes no more for a character the longer it is, whatever it consists of', () => {
  const pieces = [
    'a',
    ' ',
    '1',
    '<',
    '{"',
    'status ',
    'sk-tg-',
    'sk-tg-a*',
    'https://a.b/',
    'connect to ',
    'dial tcp ',
    '\n',
    '令牌',
  ]
  const slow = pieces.filter((piece) => {
    const read = (size: number) => {
      const text = piece.repeat(Math.ceil(size / piece.length))
      for (const look of [answeredIn, connectionFailureIn, statusIn]) look(text)
      readPasted(text, { origin: 'https://gate.example.test' })
    }
    return growthOf(read, { few: 4_000, many: PASTED_CHARACTERS }) > ABOUT_LINEAR
  })
  expect(slow).toEqual([])
})

test('no clue of a refusal has more of a key than its last four characters', () => {
  const key = `sk-tg-${'aB3x'.repeat(11)}`
  for (const text of [
    `401 Incorrect API key provided: ${key}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    `Authentication Error, Invalid proxy server token passed. key=${key} not found in db.`,
    `request to https://api.openai.com/v1/models?key=${key} failed, reason: socket hang up`,
    `HTTPSConnectionPool(host='api.openai.com', port=443): x-api-key: ${key}`,
  ]) {
    expect(JSON.stringify(readPasted(text, { origin: 'https://gate.example.test' }))).not.toContain('aB3xaB3x')
  }
})
