import { expect, test } from 'vitest'
import { NOTHING } from '../../../src/causes/clues.ts'
import type { DiagnosisView } from '../../../src/contract/diagnosis.ts'
import { findingsFrom } from './findings-from.ts'

const key = {
  id: 'key_1',
  name: 'laptop',
  start: 'sk-tg-aaaa',
  end: 'Z2Nz',
  status: 'active',
  group: 'default',
  last_used_at: null,
} as const
const empty: DiagnosisView = {
  unrecognized: null,
  record: null,
  deleted: null,
  key: null,
  keys_alike: null,
  now: null,
  judged_model: false,
  targets: null,
}
const record = { fault: 'model_unknown' } as NonNullable<DiagnosisView['record']>
const kinds = (clues: Partial<typeof NOTHING>, answer: Partial<DiagnosisView>) =>
  findingsFrom({ ...NOTHING, ...clues }, { ...empty, ...answer }).map((each) =>
    each.kind === 'fault' ? `${each.code} ${each.when}` : each.kind,
  )
const now = (code: string) => ({ code, facts: null, detail: '' })

test.for<[string, Parameters<typeof kinds>, string[]]>([
  [
    'a record that is refused still',
    [{ request: 'req_1' }, { record, key, now: now('model_unknown') }],
    ['model_unknown past_and_now'],
  ],
  ['one that would pass now', [{ request: 'req_1' }, { record, key }], ['model_unknown healed']],
  [
    'one that something else stops now',
    [{ request: 'req_1' }, { record, key, now: now('key_disabled') }],
    ['model_unknown past', 'key_disabled now'],
  ],
  [
    'a request that went well',
    [{ request: 'req_1' }, { record: { ...record, fault: null }, key }],
    ['went_well', 'passes'],
  ],
  ['an ID without a record', [{ request: 'req_1' }, {}], ['no_record']],
  ['an end that no key has', [{ end: 'Z2Nz' }, { keys_alike: 0 }], ['no_key']],
  ['an end that two keys have', [{ end: 'Z2Nz' }, { keys_alike: 2 }], ['keys_alike']],
  ['a key in order', [{ end: 'Z2Nz' }, { key, keys_alike: 1 }], ['passes']],
  [
    'a key out of money',
    [{ end: 'Z2Nz' }, { key, keys_alike: 1, now: now('balance_exhausted') }],
    ['balance_exhausted now'],
  ],
  [
    'a code whose facts the key’s state has',
    [
      { end: 'Z2Nz', found: [{ code: 'key_disabled', facts: {} }] },
      { key, keys_alike: 1, now: now('key_disabled') },
    ],
    ['key_disabled now'],
  ],
  [
    'a mistake in the characters',
    [{ found: [{ code: 'key_malformed', facts: { mistake: 'quoted' } }] }, {}],
    ['key_malformed text'],
  ],
])('%s', ([, [clues, answer], expected]) => {
  expect(kinds(clues, answer)).toEqual(expected)
})
