import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../access/password.ts'
import { keyedHash, sealer } from '../../core/secret-box.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { applyDeclarativeFile } from './apply-declarative.ts'
import { parseDeclarativeFile } from './declarative-file.ts'
import { previewStore } from './preview-store.ts'
import { ConfigurationError } from '../installation/environment.ts'

const secret = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
const hashSecret = keyedHash(secret)
const now = 1_790_000_000_000

let folder = ''
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-apply-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: { now: () => now, elapsed: () => 0 } })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const whole = `upstreams:
  - { name: main, protocol: openai, base_url: https://api.example.test/v1, credential: sk-upstream, headers: { x-a: b } }
models:
  - { name: gpt, price: { input: "2.50", output: "10" }, targets: [{ upstream: main }] }
groups:
  - { name: default, multiplier: "0.85", models: [gpt] }
  - { name: all, multiplier: "1", models: ["*"] }
plans:
  - { name: pro, groups: [default], days: 30, price: "20", quotas: [{ window: 5h, usd: "5" }] }
accounts:
  - { email: ada@example.test, role: admin, balance: "100" }
keys:
  - account: ada@example.test
    name: laptop
    group: default
    fallback_groups: [all]
    custom_key: ada-laptop-2f9c61d07b3e
    rate_limit: { concurrency: 2, spend: [{ window: 5h, usd: "5" }] }
    allowed_ips: [10.0.0.0/8]
    expires_at: 2027-01-31T00:00:00Z
`

/** Each time that it is applied it costs a scrypt. */
const withPassword = whole.replace('role: admin', 'role: admin, password: correct horse battery')

function apply(text: string, nowMs = now) {
  const file = parseDeclarativeFile(text, { name: 'tollgate.yaml', environment: {} })
  return applyDeclarativeFile(file, { store, sealer: sealer(secret), hashSecret, nowMs })
}

/** Applies it after a preview, which must say the same, whatever comes of it. */
async function applyPreviewed(text: string): Promise<unknown> {
  const file = parseDeclarativeFile(text, { name: 'tollgate.yaml', environment: {} })
  const about = { store: previewStore(store), sealer: sealer(secret), hashSecret, nowMs: now }
  const [preview] = await Promise.allSettled([applyDeclarativeFile(file, about)])
  const [applied] = await Promise.allSettled([apply(text)])
  expect(preview).toEqual(applied)
  return applied.status === 'fulfilled' ? applied.value.changes : applied.reason
}

async function lastSeq(): Promise<number> {
  return (await store.nodes.changesAfter(0)).at(-1)?.seq ?? 0
}

async function keyOf(customKey: string) {
  return (await store.keys.findByHash(hashSecret(customKey)))?.key
}

const laptop = 'ada-laptop-2f9c61d07b3e'

test('everything in the file is there afterwards, by name and managed', async () => {
  const { changes } = await apply(withPassword)
  expect(changes).toEqual([
    'upstream main (new)',
    'group default (new)',
    'group all (new)',
    'model gpt (new)',
    'plan pro (new)',
    'account ada@example.test (new)',
    'balance of ada@example.test',
    'key laptop of ada@example.test (new)',
  ])
  const [upstream] = await store.catalog.upstreams()
  expect(upstream).toMatchObject({ name: 'main', isManaged: true })
  expect(sealer(secret).open(upstream?.headers['x-a'] ?? '')).toBe('b')
  expect(sealer(secret).open(upstream?.credentials[0]?.sealedSecret ?? '')).toBe('sk-upstream')
  const [model] = await store.catalog.models()
  expect(model?.targets).toEqual([{ upstreamId: upstream?.id, model: 'gpt', priority: 0, weight: 1 }])
  const groups = await store.groups.groups()
  const groupId = groups.find(({ name }) => name === 'default')?.id
  expect((await store.plans.plans())[0]).toMatchObject({ name: 'pro', groupIds: [groupId], isManaged: true })
  const account = await store.accounts.findByEmail('ada@example.test')
  expect(account).toMatchObject({ role: 'admin', status: 'active', isManaged: true })
  expect(
    await verifyPassword('correct horse battery', (await store.accounts.passwordHash(account?.id ?? '')) ?? ''),
  ).toBe(true)
  expect(await store.ledger.balance(account?.id ?? '')).toBe(100_000_000_000n)
  expect(await keyOf(laptop)).toMatchObject({
    accountId: account?.id,
    name: 'laptop',
    groupId,
    status: 'active',
    secretStart: 'ada-laptop',
    secretEnd: '7b3e',
    rateLimit: {
      concurrency: 2,
      requestsPerMinute: null,
      tokensPerMinute: null,
      spend: [{ window: '5h', usd: 5_000_000_000n }],
    },
    allowedIps: ['10.0.0.0/8'],
    expiresAt: Date.UTC(2027, 0, 31),
    isManaged: true,
  })
})

test('applying the same file again changes nothing and grants nothing', async () => {
  await apply(withPassword)
  const seq = await lastSeq()
  const before = await Promise.all([store.catalog.upstreams(), store.keys.list({ limit: 10 })])
  expect(await apply(withPassword, now + 1000)).toEqual({ changes: [], warnings: [] })
  expect(await lastSeq()).toBe(seq)
  expect(await Promise.all([store.catalog.upstreams(), store.keys.list({ limit: 10 })])).toEqual(before)
  const account = await store.accounts.findByEmail('ada@example.test')
  expect(await store.ledger.entries(account?.id ?? '', 10)).toHaveLength(1)
})

test.for([
  ['a credential', 'sk-upstream', 'sk-other', ['upstream main: credentials.default.secret changed']],
  ['a price', '"2.50"', '"3"', ['model gpt: price.input 2.5 → 3']],
  ['a multiplier', '"0.85"', '"0.9"', ['group default: multiplier 0.85 → 0.9']],
  ['a plan', 'days: 30', 'days: 31', ['plan pro: days 30 → 31']],
  ['a role', 'role: admin', 'role: user', ['account ada@example.test: role admin → user']],
  ['a balance', '"100"', '"200"', []],
  [
    'a key’s limit',
    'concurrency: 2',
    'concurrency: 3',
    ['key laptop of ada@example.test: rate_limit.concurrency 2 → 3'],
  ],
  ['a key’s name', 'name: laptop', 'name: desk', ['key desk of ada@example.test: name laptop → desk']],
] as const)('$0 that was changed in the file is changed, and nothing else', async ([, before, after, expected]) => {
  await apply(whole)
  const id = (await keyOf(laptop))?.id
  expect((await apply(whole.replace(before, after))).changes).toEqual(expected)
  expect((await keyOf(laptop))?.id).toBe(id)
  expect((await apply(whole.replace(before, after))).changes).toEqual([])
})

test('a password that was changed in the file is changed, and nothing else', async () => {
  await apply(withPassword)
  const id = (await keyOf(laptop))?.id
  const another = withPassword.replace('correct horse', 'another horse')
  expect((await apply(another)).changes).toEqual(['account ada@example.test: password changed'])
  expect((await keyOf(laptop))?.id).toBe(id)
  expect((await apply(another)).changes).toEqual([])
})

test('what left the file stays, unmanaged and in use', async () => {
  await apply(whole)
  expect((await apply('groups: []')).changes).toEqual([])
  expect(await store.catalog.upstreams()).toMatchObject([{ name: 'main', isManaged: false }])
  expect(await store.catalog.models()).toMatchObject([{ name: 'gpt', isManaged: false }])
  expect((await store.groups.groups()).map(({ isManaged }) => isManaged)).toEqual([false, false])
  expect(await store.plans.plans()).toMatchObject([{ name: 'pro', isManaged: false }])
  expect(await store.accounts.findByEmail('ada@example.test')).toMatchObject({ isManaged: false, status: 'active' })
  expect(await keyOf(laptop)).toMatchObject({ isManaged: false, status: 'active' })
  expect((await apply(whole)).changes).toHaveLength(7)
  expect(await keyOf(laptop)).toMatchObject({ isManaged: true, status: 'active' })
})

test('objects that were made by hand are taken over by name', async () => {
  await store.groups.putGroup({
    id: 'grp_by_hand',
    name: 'default',
    multiplier: 5n as never,
    models: ['*'],
    isEnabled: false,
    isOpen: true,
    isManaged: false,
  })
  await apply(whole)
  const group = (await store.groups.groups()).find(({ name }) => name === 'default')
  expect(group).toMatchObject({ id: 'grp_by_hand', isManaged: true, isEnabled: true, models: ['gpt'] })
})

describe('keys', () => {
  const other = whole.replace(laptop, 'ada-laptop-7c44e0b19d52')

  test('a changed custom_key replaces the key: the old secret stops working, and going back revives it', async () => {
    await apply(whole)
    const { changes } = await apply(other)
    expect(changes).toEqual([
      'key laptop of ada@example.test (new)',
      'the old secret of key laptop, ending in 7b3e, disabled',
    ])
    expect(await keyOf(laptop)).toMatchObject({ status: 'disabled', isManaged: false })
    expect(await keyOf('ada-laptop-7c44e0b19d52')).toMatchObject({ status: 'active', isManaged: true })
    expect((await apply(other)).changes).toEqual([])
    await apply(whole)
    expect(await keyOf(laptop)).toMatchObject({ status: 'active', isManaged: true })
    expect(await keyOf('ada-laptop-7c44e0b19d52')).toMatchObject({ status: 'disabled', isManaged: false })
  })

  test('a status in the file is enforced; without one, a key that was disabled by hand stays so', async () => {
    await apply(whole)
    const id = (await keyOf(laptop))?.id ?? ''
    await store.keys.setStatus(id, 'disabled', now)
    expect((await apply(whole)).changes).toEqual([])
    expect((await keyOf(laptop))?.status).toBe('disabled')
    await apply(`${whole}    status: active\n`)
    expect((await keyOf(laptop))?.status).toBe('active')
    await apply(`${whole}    status: disabled\n`)
    expect((await keyOf(laptop))?.status).toBe('disabled')
  })

  test('what a person disabled stays so while the file goes on saying active, and is enabled when the file says so anew', async () => {
    const text = `${whole.replace('role: admin,', 'role: user, status: active,')}    status: active\n`
    await apply(text)
    const id = (await keyOf(laptop))?.id ?? ''
    await store.keys.setStatus(id, 'disabled', now)
    const ada = await store.accounts.findByEmail('ada@example.test')
    await store.accounts.edit(ada?.id ?? '', (before) => ({ ...before, status: 'disabled' }), null)
    expect(await applyPreviewed(text)).toEqual([])
    expect((await keyOf(laptop))?.status).toBe('disabled')
    expect((await store.accounts.findByEmail('ada@example.test'))?.status).toBe('disabled')
    await apply(text.replaceAll('active', 'disabled'))
    await apply(text)
    expect((await keyOf(laptop))?.status).toBe('active')
    expect((await store.accounts.findByEmail('ada@example.test'))?.status).toBe('active')
  })

  test('a key that was deleted by hand stays deleted, with a warning', async () => {
    await apply(whole)
    await store.keys.setStatus((await keyOf(laptop))?.id ?? '', 'deleted', now)
    const { changes, warnings } = await apply(whole)
    expect(changes).toEqual([])
    expect(warnings).toEqual([
      'Key laptop of ada@example.test was deleted by hand and stays so: take it out of the file.',
    ])
    expect((await keyOf(laptop))?.status).toBe('deleted')
  })

  test('a new key starts disabled when the file says so', async () => {
    await apply(`${whole}    status: disabled\n`)
    expect((await keyOf(laptop))?.status).toBe('disabled')
  })

  test('there are no new keys for a disabled account, and those it has stay', async () => {
    const disabled = whole.replace('role: admin,', 'role: admin, status: disabled,')
    const refusal = await apply(disabled).catch((error: unknown) => error)
    expect(String(refusal)).toContain('this one is disabled, so enable it first')
    expect(await keyOf(laptop)).toBeUndefined()
    await apply(whole.replace('role: admin,', 'role: admin, status: active,'))
    await apply(disabled)
    expect(await keyOf(laptop)).toMatchObject({ status: 'active' })
  })

  test('a secret that another account’s key has is refused with its place', async () => {
    await apply(whole)
    const text = `accounts: [{ email: bob@example.test }]
keys:
  - { account: bob@example.test, name: k, group: all, custom_key: ${laptop} }`
    const refusal = await apply(text).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ConfigurationError)
    expect(String(refusal)).toContain('tollgate.yaml, line 3, column 67: keys[0].custom_key is not available')
  })
})

describe('a key takes in the file what it takes in the API', () => {
  test.for([
    ['a past expiry', whole.replace('2027-01-31', '2020-01-31'), 'keys[0].expires_at must be a time in the future'],
    [
      'a fallback group that is its own group',
      whole.replace('fallback_groups: [all]', 'fallback_groups: [default]'),
      "keys[0].fallback_groups[0] must be a group that is neither the key's own nor named before",
    ],
    [
      'a group that is disabled',
      whole.replace('models: [gpt] }', 'models: [gpt], enabled: false }'),
      'keys[0].group must be the name of a group that is enabled',
    ],
    [
      'an account that is disabled',
      whole.replace('role: admin', 'role: admin, status: disabled'),
      'keys[0].account must be an account that is active',
    ],
    ['a model with a star', whole.replaceAll('gpt', 'g*'), 'models[0].name is "g*", but it must be text of 1 to 200'],
    [
      'more allowed models than that',
      `${whole}    allowed_models: [${'gpt, '.repeat(201)}]\n`,
      'must have at most 200 entries',
    ],
  ] as const)('not %s, and nothing of that file is applied', async ([, text, expected]) => {
    await expect((async () => apply(text))()).rejects.toThrow(expected)
    expect(await store.groups.groups()).toEqual([])
    expect(await keyOf(laptop)).toBe(undefined)
  })

  test('and keeps what it has, though its end has passed, its group and its account were disabled', async () => {
    await apply(whole)
    const later = whole.replace('models: [gpt] }', 'models: [gpt], enabled: false }')
    await apply(later.replace('role: admin', 'role: admin, status: disabled'), Date.UTC(2028, 0, 1))
    expect(await keyOf(laptop)).toMatchObject({ expiresAt: Date.UTC(2027, 0, 31), status: 'active' })
  })
})

test('names that only the database has can be referred to', async () => {
  await apply(whole)
  await apply(
    'keys: [{ account: Ada@example.test, name: phone, group: all, custom_key: ada-phone-55d0c7e1a9f4, allowed_models: [gpt] }]',
  )
  expect(await keyOf('ada-phone-55d0c7e1a9f4')).toMatchObject({ name: 'phone', status: 'active' })
  await expect(apply('groups: [{ name: g, models: [nope] }]')).rejects.toThrow(/there is no model "nope"/)
  const weightless = `upstreams: [{ name: w, protocol: demo }]\nmodels: [{ name: w, targets: [{ upstream: w, weight: 0 }] }]`
  await expect(apply(weightless)).rejects.toThrow(
    /line 2, column \d+: models\[0\]\.targets\[0\]\.weight must be above 0/,
  )
})

describe('the subscription of an account', () => {
  const DAY_MS = 86_400_000
  const subscribed = whole.replace('balance: "100" }', 'balance: "100", subscription: pro }')

  async function subscriptionsOfAda() {
    const account = await store.accounts.findByEmail('ada@example.test')
    return store.subscriptions.list(account?.id ?? '', 10)
  }

  test('is opened once, with what the plan says then, and runs out like any other', async () => {
    expect((await apply(subscribed)).changes).toContain('subscription of ada@example.test')
    const groups = await store.groups.groups()
    const expected = {
      planName: 'pro',
      groupIds: [groups.find(({ name }) => name === 'default')?.id],
      quotas: [{ window: '5h', usd: 5_000_000_000n }],
      startsAt: now,
      endsAt: now + 30 * DAY_MS,
      cancelledAt: null,
    }
    expect(await subscriptionsOfAda()).toMatchObject([expected])
    expect((await apply(subscribed, now + 40 * DAY_MS)).changes).toEqual([])
    const changed = subscribed.replace('days: 30', 'days: 7').replace('usd: "5" }] }', 'usd: "9" }] }')
    expect((await apply(changed)).changes).toEqual(['plan pro: days 30 → 7, quotas.5h.usd 5 → 9'])
    expect(await subscriptionsOfAda()).toMatchObject([expected])
  })

  test('that a start was killed before opening is opened by the next, once', async () => {
    await apply(whole)
    const account = await store.accounts.findByEmail('ada@example.test')
    await store.settings.writeOnce(`declared_subscription:${account?.id}`, 'sub_cut_short')
    const results = await Promise.all([apply(subscribed), apply(subscribed)])
    expect(results.flatMap(({ changes }) => changes)).toContain('subscription of ada@example.test')
    expect(await subscriptionsOfAda()).toMatchObject([{ id: 'sub_cut_short', planName: 'pro' }])
  })

  test('may be of a plan that only the database has', async () => {
    await apply(whole)
    await apply('accounts: [{ email: ada@example.test, subscription: pro }]')
    expect(await subscriptionsOfAda()).toMatchObject([{ planName: 'pro' }])
  })
})

test('a group is open to every account unless the file says otherwise', async () => {
  await apply(whole.replace('models: ["*"] }', 'models: ["*"], open: false }'))
  expect(await store.groups.groups()).toMatchObject([
    { name: 'all', isOpen: false },
    { name: 'default', isOpen: true },
  ])
  expect((await apply(whole)).changes).toEqual(['group all: open false → true'])
  expect(await store.groups.groups()).toMatchObject([{ isOpen: true }, { isOpen: true }])
})

test('a preview says what applying then does, and changes nothing itself', async () => {
  expect(await applyPreviewed(withPassword)).toHaveLength(8)
  expect(await applyPreviewed(withPassword)).toEqual([])
  const raised = withPassword.replace('"2.50"', '"3"').replace('"0.85"', '"0.9"').replace('days: 30', 'days: 31')
  expect(await applyPreviewed(raised)).toEqual([
    'group default: multiplier 0.85 → 0.9',
    'model gpt: price.input 2.5 → 3',
    'plan pro: days 30 → 31',
  ])
  expect(await applyPreviewed(raised.replace(laptop, 'ada-laptop-9d1c07b3e2f6'))).toEqual([
    'key laptop of ada@example.test (new)',
    'the old secret of key laptop, ending in 7b3e, disabled',
  ])
  const without = raised.slice(0, raised.indexOf('accounts:'))
  expect(await applyPreviewed(without)).toEqual([])
  const other =
    'keys:\n  - { account: ada@example.test, name: desk, group: nowhere, custom_key: ada-desk-2f9c61d07b3e }\n'
  expect(await applyPreviewed(other)).toBeInstanceOf(ConfigurationError)
})
