import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { keyCreate, keyPatch } from '../../contract/keys.ts'
import { givenName, usdAmount } from '../../contract/wire-values.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { checkedBody, checkedQuery } from './checked-input.ts'
import { Problem, problemBody } from '../problem.ts'

const schema = z
  .object({
    name: givenName(BOUNDS.key.name),
    usd: usdAmount.optional(),
    count: z.number().int().min(1).max(9).optional(),
    kind: z.enum(['a', 'b']).optional(),
    names: z.array(z.string()).max(2).optional(),
    mail: z.email().optional(),
  })
  .strict()

test.each([
  [{}, { form: 'text', values: [], is_missing: true }],
  [{ name: '' }, { form: 'characters_at_least', values: ['1'], is_missing: false }],
  [{ name: 'x'.repeat(101) }, { form: 'characters_at_most', values: ['100'], is_missing: false }],
  [{ name: 'a\nb' }, { form: 'plain_name', values: [], is_missing: false }],
  [{ name: 'a\u202Eb' }, { form: 'plain_name', values: [], is_missing: false }],
  [
    { name: 'n', usd: 'much' },
    { form: 'usd', values: [], is_missing: false },
  ],
  [
    { name: 'n', count: 0 },
    { form: 'at_least', values: ['1'], is_missing: false },
  ],
  [
    { name: 'n', count: 1.5 },
    { form: 'whole_number', values: [], is_missing: false },
  ],
  [
    { name: 'n', kind: 'c' },
    { form: 'one_of', values: ['a', 'b'], is_missing: false },
  ],
  [
    { name: 'n', names: ['', '', ''] },
    { form: 'entries_at_most', values: ['2'], is_missing: false },
  ],
  [
    { name: 'n', mail: 'm' },
    { form: 'email', values: [], is_missing: false },
  ],
  [
    { name: 'n', nmae: 'm' },
    { form: 'known_field', values: [], is_missing: false },
  ],
])('what a field of %j takes is said by a word, too', (body, takes) => {
  expect(refusal(() => checkedBody(schema, body)).takes).toEqual(takes)
})

test('a custom key of the wrong form is said by a word', () => {
  const body = { name: 'n', group: 'g', custom_key: 'short' }
  expect(refusal(() => checkedBody(keyCreate, body)).takes?.form).toBe('custom_key')
})

test('an unknown filter comes with those that are known', () => {
  const takes = refusal(() => checkedQuery(schema, new URLSearchParams('nme=x'))).takes
  expect(takes).toEqual({ form: 'known_field', values: Object.keys(schema.shape), is_missing: false })
})

function refusal(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return problemBody(error, 'req_1')
    throw error
  }
  throw new Error('nothing was refused')
}

test('a list that is null is an empty one, and one that is left out of a change stays', () => {
  const lists = { fallback_groups: null, allowed_models: null, allowed_ips: null, tags: null }
  const empty = { fallback_groups: [], allowed_models: [], allowed_ips: [], tags: [] }
  expect(checkedBody(keyCreate, { name: 'laptop', group: 'default', ...lists })).toMatchObject(empty)
  expect(checkedBody(keyPatch, lists)).toEqual(empty)
  expect(checkedBody(keyPatch, { allowed_ips: null })).toEqual({ allowed_ips: [] })
})
