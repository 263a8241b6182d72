import { describe, expect, test } from 'vitest'
import { key, LISTS, planOf, SECRET, status, verified } from '../../test/support/import-sources/verified-plan.ts'
import { nanoUsd } from '../core/money.ts'

/** Answers of new-api’s handlers: `controller/pricing.go`, `controller/model.go`, `controller/misc.go`. */
const PRICING = {
  success: true,
  data: [
    {
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      model_price: 0,
      completion_ratio: 4,
      cache_ratio: 0.1,
      create_cache_ratio: 1.25,
    },
    { model_name: 'mini', quota_type: 0, model_ratio: 0.075, model_price: 0, completion_ratio: 4, cache_ratio: 0.1 },
  ],
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: 'x', vip: 'y' },
}
const NEW_API = {
  '/v1/models': { success: true, ...LISTS },
  '/api/pricing': PRICING,
  '/api/status': { success: true, data: { quota_per_unit: 500_000 } },
}
const priced = (changes: object) => ({
  ...NEW_API,
  '/api/pricing': {
    ...PRICING,
    data: PRICING.data.map((each) => (each.model_name === 'mini' ? { ...each, ...changes } : each)),
  },
})

describe('new-api', () => {
  test('a source that says what the plan says has no difference', async () => {
    const { summary, isSame, asked, text } = await verified(planOf('new-api'), NEW_API)
    expect([summary, isSame]).toEqual([
      'Compared with the running source: 2 keys and the prices of 2 models, no difference.',
      true,
    ])
    // Lists alone, and each key as the credential of its own question.
    expect(asked.map(({ path }) => path).sort()).toEqual(['/api/pricing', '/api/status', '/v1/models', '/v1/models'])
    expect(asked.filter(({ headers }) => headers['authorization'] === `Bearer ${SECRET}`)).toHaveLength(1)
    expect(text).not.toContain(SECRET)
  })

  test.for([
    [
      'input',
      { model_ratio: 0.0755 },
      'price of mini in default: A here $0.00045, there $0.000453 (-$0.000003); B here $0.002775',
    ],
    ['output', { completion_ratio: 5 }, 'A here $0.00045, there $0.000525 (-$0.000075)'],
    ['cached input', { cache_ratio: 0.5 }, 'price of mini in default: B here'],
    ['written input', { create_cache_ratio: 2 }, 'B here'],
    ['a price for a request', { quota_type: 1, model_price: 0.01 }, 'A here $0.00045, there $0.01'],
  ] as const)('a changed price is found: %s', async ([, changes, line]) => {
    const { text, isSame } = await verified(planOf('new-api'), priced(changes))
    expect([isSame, text.includes('gpt-4o in')]).toEqual([false, false])
    expect(text).toContain(line)
  })

  test('a changed ratio of a group is found for that group alone', async () => {
    const answers = { ...NEW_API, '/api/pricing': { ...PRICING, group_ratio: { default: 1, vip: 0.6 } } }
    const { text } = await verified(planOf('new-api'), answers)
    expect(text).toContain('price of gpt-4o in vip: A here $0.00375, there $0.0045')
    expect(text).not.toContain('in default')
  })

  test('a group whose ratio it does not say is compared without one', async () => {
    const answers = { ...priced({ model_ratio: 1 }), '/v1/models': NEW_API['/v1/models'] }
    const plan = planOf('new-api', { keys: [key('second', { group: 'vip' })] })
    const hidden = { ...answers['/api/pricing'], group_ratio: { default: 1 } }
    const { text } = await verified(plan, { ...answers, '/api/pricing': hidden })
    expect(text).toContain('price of mini in vip: A here $0.00045, there $0.006')
    expect(text).toContain('without a multiplier')
    expect(text).not.toContain('gpt-4o in')
  })

  test('what it rounds to its own units is not taken for a difference', async () => {
    // 0.0750004 × 2 × 1,500 tokens is nearer to the stored price than half a unit.
    expect((await verified(planOf('new-api'), priced({ model_ratio: 0.0750004 }))).isSame).toBe(true)
  })

  test('models that one of the two lacks are named with the keys', async () => {
    const list = (headers: Readonly<Record<string, string>>) =>
      headers['authorization'] === `Bearer ${SECRET}` ? { data: [{ id: 'gpt-4o' }, { id: 'gpt-5' }] } : LISTS
    const { text, isSame } = await verified(planOf('new-api'), { ...NEW_API, '/v1/models': list })
    expect(isSame).toBe(false)
    expect(text).toContain('there and not here: gpt-5: "first" (sk-secr…)')
    expect(text).toContain('here and not there: mini: "first" (sk-secr…)')
    expect(text).not.toContain('"second"')
  })

  test('a model that nothing working serves here, or that has no price, is not here', async () => {
    const plan = planOf('new-api')
    const shut = plan.upstreams.map((each) => ({
      ...each,
      credentials: [{ name: 'a', secret: 'none', isDisabled: true }],
    }))
    expect((await verified({ ...plan, upstreams: shut }, NEW_API)).text).toContain('there and not here: gpt-4o, mini')
    const unpriced = plan.models.map((each) => ({ ...each, prices: each.name === 'mini' ? null : each.prices }))
    expect((await verified({ ...plan, models: unpriced }, NEW_API)).text).toContain('there and not here: mini')
  })

  test('a key that is refused there and works here is a difference; one that lacks money there is not', async () => {
    const refused = await verified(planOf('new-api'), { ...NEW_API, '/v1/models': status(401) })
    expect(refused.text).toContain('refused there (401), and works here: "first" (sk-secr…), "second"')
    const poor = await verified(planOf('new-api'), {
      ...NEW_API,
      '/v1/models': status(403, { code: 'INSUFFICIENT_BALANCE' }),
    })
    expect(poor.text).not.toContain('refused there')
    expect(poor.isSame).toBe(false)
  })

  test('a model without a ratio there says no price, and one by an expression is not computed', async () => {
    const unset = await verified(planOf('new-api'), priced({ model_ratio: 37.5, completion_ratio: 1 }))
    expect(unset.text).toContain('the prices of 1 models, which have none there')
    expect(unset.text).not.toContain('price of mini')
    const expression = await verified(planOf('new-api'), priced({ billing_mode: 'tiered_expr', billing_expr: 'p * 2' }))
    expect(expression.text).toContain('the prices of 1 models, which are expressions there')
  })

  test.for([
    ['a list that is broken', { '/v1/models': { data: 'x' } }, 'it answered with something that cannot be read'],
    ['a list that fails', { '/v1/models': status(500) }, 'it answered with the status 500'],
    [
      'a list that does not come',
      { '/v1/models': { kind: 'failed', why: 'it did not answer within 10 s' } },
      'did not answer within',
    ],
    ['prices behind a sign-in', { '/api/pricing': { success: false, message: 'x' } }, 'it asks for a sign-in'],
    ['prices that fail', { '/api/pricing': status(503) }, 'since it answered with the status 503'],
  ] as const)('%s is said, and no agreement', async ([, answers, sentence]) => {
    const { text, isSame } = await verified(planOf('new-api'), { ...NEW_API, ...answers })
    expect([text.includes(sentence), isSame]).toEqual([true, sentence.includes('sign-in') || sentence.includes('503')])
  })

  test('keys that work neither there nor here are not asked for', async () => {
    const keys = [
      key('off', { isActive: false }),
      key('old', { expiresAt: 999 }),
      key('spent', { quotaLimit: nanoUsd(5n), quotaUsed: nanoUsd(5n) }),
      key('here', { allowedIps: ['10.0.0.1'] }),
      key('hash', { secret: { hash: 'h', end: 'abcd' } }),
      key('wide', { secret: 'sk-schlüssel-aus-alter-zeit' }),
      key('good'),
    ]
    const { asked, text } = await verified(planOf('new-api', { keys }), NEW_API)
    expect(asked.filter(({ path }) => path === '/v1/models')).toHaveLength(1)
    for (const why of [
      'disabled',
      'expired',
      'used up',
      'limited to addresses',
      'a hash of it alone',
      'whose secret no header can have',
    ])
      expect(text).toContain(
        `1 key: ${why.includes('hash') ? 'whose secret is not known, since the source has ' : ''}${why}`,
      )
  })

  test('calls are bounded: by their number, by failures in a row, and by time', async () => {
    const keys = Array.from({ length: 2_100 }, (_, i) => key(`k${i}`, { group: i === 2_099 ? 'vip' : 'default' }))
    const many = await verified(planOf('new-api', { keys }), NEW_API)
    expect(many.asked.filter(({ path }) => path === '/v1/models')).toHaveLength(2_000)
    expect(many.text).toContain('100 keys: beyond the 2000 keys that are asked for')
    // The only one of its kind, though it is the last.
    expect(many.asked.some(({ headers }) => headers['authorization']?.startsWith('Bearer sk-k2099-'))).toBe(true)
    const down = await verified(planOf('new-api', { keys }), { ...NEW_API, '/v1/models': status(502) })
    expect(down.asked.length).toBeLessThan(20)
    expect(down.text).toContain('not asked any more, after so many failures')
    const late = await verified(planOf('new-api', { keys }), NEW_API, { over: true })
    expect([late.asked.filter(({ path }) => path === '/v1/models'), late.isSame]).toEqual([[], false])
  })
})

test('of one-api models are compared, and prices are said to be unknown', async () => {
  const same = await verified(planOf('one-api'), { '/v1/models': LISTS })
  expect([same.isSame, same.text]).toEqual([true, expect.stringContaining('prices: no answer of one-api says them')])
  const less = await verified(planOf('one-api'), { '/v1/models': { data: [{ id: 'mini' }] } })
  expect([less.isSame, less.text]).toEqual([false, expect.stringContaining('here and not there: gpt-4o: "first"')])
})
