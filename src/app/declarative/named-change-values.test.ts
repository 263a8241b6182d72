import { expect, test } from 'vitest'
import { sealer } from '../../core/secret-box.ts'
import { namedChange, valueChanges } from './named-change.ts'

const SEALER = sealer('k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa')

function said(before: object, after: object): readonly string[] {
  return valueChanges({ ...before }, { ...after }).map(({ path, change }) => `${path} ${change}`)
}

test('plain fields are shown from what they were to what they are, at any depth', () => {
  const before = { price: { input: '2.5', output: '10' }, targets: [{ upstream: 'main', weight: 1 }], models: ['a'] }
  const after = { price: { input: '3', output: '10' }, targets: [{ upstream: 'main', weight: 5 }], models: ['a', 'b'] }
  expect(said(before, after)).toEqual(['models [a] → [a, b]', 'price.input 2.5 → 3', 'targets.main.weight 1 → 5'])
  expect(said({ limits: null }, { limits: { concurrency: 2 } })).toEqual(['limits.concurrency none → 2'])
  expect(said({ spend_per_day: '5' }, {})).toEqual(['spend_per_day 5 → none'])
  const [one, two] = ['https://a.example.test/v1', 'https://b.example.test/v1']
  expect(said({ base_url: one }, { base_url: two })).toEqual([`base_url ${one} → ${two}`])
})

test('an entry that was added, removed or moved is one change', () => {
  const [main, spare] = [{ upstream: 'main', weight: 1 }, { upstream: 'spare' }]
  expect(said({ targets: [main] }, { targets: [main, spare] })).toEqual(['targets.spare added'])
  expect(said({ targets: [main, spare] }, { targets: [spare] })).toEqual(['targets.main removed'])
  expect(said({ targets: [main, spare] }, { targets: [spare, main] })).toEqual(['targets in another order'])
  const twice = [main, { ...main, weight: 2 }]
  expect(said({ targets: twice }, { targets: [main, { ...main, weight: 3 }] })).toEqual(['targets.2.weight 2 → 3'])
})

test('no secret is shown, encrypted or not, wherever it stands', () => {
  const [one, two] = [SEALER.seal('sk-one'), SEALER.seal('sk-two')]
  const of = (secret: string) => ({
    credential: secret,
    credentials: [{ name: 'a', secret, proxy_url: secret }],
    headers: { 'x-a': secret },
    note: SEALER.seal(secret),
    password: secret,
    proxy_url: secret,
  })
  for (const [was, is] of [
    [one, two],
    ['sk-one', 'sk-two'],
  ] as const) {
    const changes = said(of(was), of(is))
    expect(changes).toEqual([
      'credential changed',
      'credentials.a.proxy_url changed',
      'credentials.a.secret changed',
      'headers changed',
      'note changed',
      'password changed',
      'proxy_url changed',
    ])
  }
  const { proxy_url: _, ...without } = of(one)
  expect(said(without, of(one))).not.toContain(one)
})

test('long values and long lists of changes are cut', () => {
  const [change = ''] = said({ alert_template: 'a' }, { alert_template: `b\n${'c'.repeat(5000)}` })
  expect(change).toMatch(/^alert_template a → b c+…$/)
  expect(change.length).toBeLessThan(120)
  const fields = (value: number) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, value]))
  const line = namedChange('model m', { before: fields(1), after: fields(2), written: (each) => each })
  expect(line).toMatch(/, and 10 more$/)
})
