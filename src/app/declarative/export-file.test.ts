import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { verifyPassword } from '../../access/password.ts'
import type { NanoUsd } from '../../core/money.ts'
import { isSealed, keyedHash, sealer } from '../../core/secret-box.ts'
import { inSuite } from '../../../test/support/run/suite.ts'
import { migratedDirectory, migratedPostgres } from '../../../test/support/test-servers.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { applyDeclarativeFile } from './apply-declarative.ts'
import { parseDeclarativeFile } from './declarative-file.ts'
import { boundedExport, exportFile } from './export-file.ts'
import { previewStore } from './preview-store.ts'

const SECRET = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'
const hashSecret = keyedHash(SECRET)
const box = sealer(SECRET)
const now = 1_790_000_000_000
const LATER = now + 3_600_000

let stores: Store[] = []
let from: Store
let to: Store
beforeEach(async () => {
  from = await opened()
  to = await opened()
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  stores = []
})

async function opened(engine: 'sqlite' | 'postgres' = 'sqlite'): Promise<Store> {
  const database = engine === 'postgres' ? await migratedPostgres() : null
  if (database !== null) onTestFinished(() => database.drop())
  const folder = await migratedDirectory()
  const store = await openStore({
    databaseUrl: database?.url ?? null,
    dataDirectory: folder,
    clock: { now: () => LATER, elapsed: () => 0 },
  })
  stores.push(store)
  return store
}

const RICH = `upstreams:
  - name: main
    protocol: openai
    base_url: https://api.example.test/v1
    credentials:
      - { name: one, secret: sk-one-$\${HOME}, weight: 3, realm: org, max_concurrency: 4, spend_per_day: "12.5", shadow: [spend_per_day, max_concurrency] }
      - { name: two, secret: sk-two, models: [gpt-up], disabled: true, expires_at: 2027-01-31T00:00:00Z, proxy_url: "http://one:secret-of-its-own@way.example.test:3128" }
    headers: { x-team: "a: b" }
    proxy_url: "socks5://someone:secret-of-a-way@proxy.example.test:1080"
    remove_headers: [x-app]
    rename_headers: { session_id: x-session }
    drop_fields: [temperature, top_p]
    prefix_cache: true
    timeout_ms: 60000
    spend_per_day: "250.5"
    shadow: [spend_per_day]
  - { name: spare, protocol: anthropic, base_url: https://b.example.test, credential: sk-spare, max_concurrency: 9 }
models:
  - name: gpt
    context_tokens: 400000
    kind: chat
    recommended: true
    price_locked: true
    rules: { temperature: refused, tool_schema: [], most_tools: 0 }
    price:
      input: "2.50"
      output: "10"
      cache_read: "0.25"
      tiers: [{ above_input_tokens: 272000, input: "5", output: "15" }]
      service_tiers: { priority: { factor: "2" } }
      per_call: { web_search: "0.01" }
    targets:
      - { upstream: main, model: gpt-up, groups: [default], cost: { factor: "0.5" }, min_margin: "0.1", shadow: [min_margin] }
      - { upstream: spare, priority: 1, weight: 0, spend_per_day: "0.000000001", drop_fields: [reasoning], fields_like: gpt-5.5, rules: { temperature: taken, stops: 1000000000, efforts: [high, low], temperature_most: 0.5, choices: false } }
  - { name: "odd: name", price: { per_image: "0.04" }, endpoints: [openai-chat, anthropic-messages], first_event_timeout_ms: 90000, idle_timeout_ms: 60000, timeout_ms: 900000, hedge_after_ms: 250, targets: [{ upstream: spare }] }
groups:
  - { name: default, multiplier: "0.85", models: [gpt], cache: { ttl_seconds: 600, price: "0.05", shared: true } }
  - { name: 分组, multiplier: "1", models: ["*"], open: false, open_to_roles: [operator, admin], devices: { max_quota: "200", max_days: 30 }, claude_settings: { model: gpt, env: { MAX_THINKING_TOKENS: "0", EMPTY: "" }, hooks: { Stop: [{ hooks: [{ type: command, command: "say \\"done\\"" }] }] }, on: true, n: 1.5, none: null, list: [] } }
plans:
  - { name: pro, groups: [default], days: 30, price: "20", quotas: [{ window: 5h, usd: "5" }], limits: { concurrency: 3, max_keys: null } }
  - { name: pays only, groups: [default, 分组], opens_groups: false, days: 7, price: "0" }
accounts:
  - { email: ada@example.test, password: correct horse battery, role: admin, balance: "100.123456789", subscription: pro }
  - { email: bob@example.test, balance: "5", open_groups: [分组], multipliers: [{ group: default, multiplier: "0.6" }], limits: { concurrency: null, max_keys: 3, spend: [{ window: 1d, usd: "50" }] } }
keys:
  - account: ada@example.test
    name: laptop
    group: default
    fallback_groups: [分组]
    custom_key: ada-laptop-2f9c61d07b3e
    quota_limit: "7"
    quota_reset: weekly
    rate_limit: { concurrency: 2, spend: [{ window: 5h, usd: "5" }] }
    allowed_models: [gpt]
    allowed_ips: [10.0.0.0/8]
    response_cache: key
    tags: [team a, 测试]
    expires_at: 2027-01-31T00:00:00Z
  - { account: bob@example.test, name: phone, group: default, custom_key: bob-phone-7c44e0b19d52, status: disabled }
settings: { site_name: "Ours: \\"here\\"", registration: closed, account_limits: { requests_per_minute: 600 }, alert_template: { text: "{{title}}", blocks: [{ n: 1 }] } }
`

async function apply(store: Store, text: string, nowMs: number) {
  const file = parseDeclarativeFile(text, { name: 'export.yaml', environment: {} })
  return applyDeclarativeFile(file, { store, sealer: box, hashSecret, nowMs })
}

/** What the file says, in an order of its own. */
function meaning(text: string): unknown {
  const file = parse(text) as Record<string, unknown>
  const ordered = Object.entries(file).map(([name, entries]) => [
    name,
    Array.isArray(entries) ? entries.map((each) => JSON.stringify(each)).toSorted() : entries,
  ])
  return Object.fromEntries(ordered)
}

/** All that a catalogue and its keys are, with names for ids and without the seals, of which no two are alike. */
async function stored(store: Store): Promise<unknown> {
  const { catalog, groups } = store
  const owners = await store.accounts.list(9)
  const keys = await store.keys.list({ limit: 99 })
  const plans = await store.plans.plans()
  const all = [await catalog.upstreams(), await catalog.models(), await groups.groups(), plans, keys] as const
  const named = [...all.flat(), ...owners.map(({ id, email }) => ({ id, name: email }))]
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const plain = (field: string, value: unknown) => {
    if (OF_THE_INSTALLATION.has(field)) return null
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'string') return value
    return isSealed(value) ? box.open(value) : (names.get(value) ?? value)
  }
  return JSON.parse(
    JSON.stringify(
      all.map((list) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
      plain,
    ),
  )
}

/** What is new with each installation. */
const OF_THE_INSTALLATION = new Set(['createdAt', 'since', 'statusChangedAt', 'lastUsedAt'])

const ACROSS = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const
test.for(inSuite({ long: [['sqlite', 'sqlite'], ['postgres', 'postgres'], ...ACROSS] as const, short: ACROSS }))(
  'an export from %s makes the same installation of an empty %s: catalogue, accounts, keys, subscriptions, settings',
  async (engines) => {
    from = await opened(engines[0])
    to = await opened(engines[1])
    await apply(from, RICH, now)
    const bob = await from.accounts.findByEmail('bob@example.test')
    await from.accounts.update({ ...(bob ?? never()), status: 'disabled' }, null)
    const [closed] = (await from.groups.groups()).filter(({ name }) => name === '分组')
    await from.groups.putGroup({ ...(closed ?? never()), isEnabled: false })
    const { text, remarks } = await exportFile({ store: from, opener: null, nowMs: LATER })
    expect(remarks).toEqual([])
    for (const secret of [
      'sk-one',
      'sk-two',
      'sk-spare',
      'a: b',
      'secret-of-',
      'correct horse',
      'ada-laptop-2f9c61d07b3e',
    ]) {
      expect(text).not.toContain(secret)
    }
    await apply(to, text, LATER)
    const plain = async (store: Store) => (await exportFile({ store, opener: box, nowMs: LATER })).text
    expect(meaning(await plain(to))).toEqual(meaning(await plain(from)))
    expect((await apply(to, text, LATER)).changes).toEqual([])
    // What an export forgets is missing on both sides of the line above.
    expect(await stored(to)).toEqual(await stored(from))
    const disabled = (await to.catalog.credentialStates()).filter(({ isDisabled }) => isDisabled)
    expect(disabled.map(({ name }) => name)).toEqual(['two'])
    const bobThere = await to.accounts.findByEmail('bob@example.test')
    const [group] = (await to.groups.groups()).filter(({ id }) => bobThere?.openGroupIds?.includes(id) === true)
    expect(group?.name).toBe('分组')

    const [main] = (await to.catalog.upstreams()).filter(({ name }) => name === 'main')
    expect(main?.credentials.map(({ sealedSecret }) => box.open(sealedSecret))).toEqual(['sk-one-${HOME}', 'sk-two'])
    const proxies = [main?.passage, ...(main?.credentials ?? [])].map((of) => of?.sealedProxyUrl ?? null)
    expect(proxies.map((sealed) => (sealed === null ? null : URL.parse(box.open(sealed))?.host))).toEqual([
      'proxy.example.test:1080',
      null,
      'way.example.test:3128',
    ])
    const found = await to.keys.findByHash(hashSecret('ada-laptop-2f9c61d07b3e'))
    expect(found).toMatchObject({ key: { name: 'laptop', secretStart: 'ada-laptop', status: 'active' } })
    const ada = await to.accounts.findByEmail('ada@example.test')
    expect(await verifyPassword('correct horse battery', (await to.accounts.passwordHash(ada?.id ?? '')) ?? '')).toBe(
      true,
    )
    const [subscription] = await to.subscriptions.list(ada?.id ?? '', 5)
    expect(subscription).toMatchObject({ planName: 'pro', startsAt: now, endsAt: now + 30 * 86_400_000 })
  },
)

test('an export has the rules of models and targets as they are in force, and none where none is set', async () => {
  await apply(from, RICH, now)
  const { text } = await exportFile({ store: from, opener: null, nowMs: LATER })
  const models = (parse(text) as { models: readonly { rules?: object; targets: readonly { rules?: object }[] }[] })
    .models
  expect(models.map(({ rules, targets }) => [rules, ...targets.map((target) => target.rules)])).toEqual([
    [
      { temperature: 'refused', tool_schema: [], most_tools: 0 },
      undefined,
      // Words have an order of their own, which writers of requests go by.
      { temperature: 'taken', stops: 1_000_000_000, efforts: ['low', 'high'], temperature_most: 0.5, choices: false },
    ],
    [undefined, undefined],
  ])
})

test('an export whose secrets another installation encrypted is refused, and changes nothing', async () => {
  await apply(from, RICH, now)
  const { text } = await exportFile({ store: from, opener: null, nowMs: LATER })
  const file = parseDeclarativeFile(text, { name: 'export.yaml', environment: {} })
  const other = { store: to, sealer: sealer('another secret of 32 bytes and more'), hashSecret, nowMs: LATER }
  await expect(applyDeclarativeFile(file, other)).rejects.toThrow(/another TOLLGATE_SECRET/)
  expect(await to.catalog.upstreams()).toEqual([])
})

test('a preview of an export says what applying it changes', async () => {
  await apply(from, RICH, now)
  const { text } = await exportFile({ store: from, opener: null, nowMs: LATER })
  const file = parseDeclarativeFile(text, { name: 'export.yaml', environment: {} })
  const about = { sealer: box, hashSecret, nowMs: LATER }
  const preview = await applyDeclarativeFile(file, { store: previewStore(to), ...about })
  expect(await to.accounts.list(5)).toEqual([])
  expect(preview.changes).toEqual((await applyDeclarativeFile(file, { store: to, ...about })).changes)
})

function never(): never {
  throw new Error('the account is there')
}

test('a credential that was disabled by hand is exported so, and the file enables none again', async () => {
  await apply(from, RICH.replace(', disabled: true', ''), now)
  const [main] = (await from.catalog.upstreams()).filter(({ name }) => name === 'main')
  const two = { upstreamId: main?.id ?? '', name: 'two' }
  const isDisabled = async () =>
    (await from.catalog.credentialStates()).some((each) => each.name === 'two' && each.isDisabled)
  await from.catalog.changeCredential({ ...two, isDisabled: true })
  const { text } = await exportFile({ store: from, opener: null, nowMs: LATER })
  expect(parse(text)).toMatchObject({
    upstreams: [{ credentials: [{ name: 'one' }, { name: 'two', disabled: true }] }, { name: 'spare' }],
  })
  await apply(from, RICH.replace('disabled: true', 'disabled: false'), LATER)
  expect(await isDisabled()).toBe(true)
  await from.catalog.changeCredential({ ...two, isDisabled: false })
  const file = parseDeclarativeFile(RICH, { name: 'export.yaml', environment: {} })
  const preview = { store: previewStore(from), sealer: box, hashSecret, nowMs: LATER }
  expect((await applyDeclarativeFile(file, preview)).changes).toEqual(['credential two of main'])
  expect(await isDisabled()).toBe(false)
  expect((await apply(from, RICH, LATER)).changes).toEqual(['credential two of main'])
  expect(await isDisabled()).toBe(true)
})

test('accounts whose second step or passkeys stay behind are named', async () => {
  await apply(from, RICH, now)
  const ada = (await from.accounts.findByEmail('ada@example.test'))?.id ?? ''
  const bob = (await from.accounts.findByEmail('bob@example.test'))?.id ?? ''
  const factor = { secret: 's', backupCodes: 'b', failures: 0, lockedUntilAt: null, lastCounter: 0 }
  await from.signInRecords.insert('secondFactor', { ...factor, id: 'f1', accountId: ada, isConfirmed: true })
  // Was never finished.
  await from.signInRecords.insert('secondFactor', { ...factor, id: 'f2', accountId: bob, isConfirmed: false })
  const { remarks } = await exportFile({ store: from, opener: null, nowMs: LATER })
  expect(remarks).toEqual(['Second steps of sign-in are left out, and have to be set up again: ada@example.test.'])
})

test('a file that says nothing of a price’s lock leaves it as it is; one that says something sets it, and the preview says so', async () => {
  await apply(from, RICH.replace('    price_locked: true\n', ''), now)
  const [gpt] = (await from.catalog.models()).filter(({ name }) => name === 'gpt')
  await from.catalog.putModel({ ...(gpt ?? never()), isPriceLocked: true })
  const isLocked = async () => (await from.catalog.models()).find(({ name }) => name === 'gpt')?.isPriceLocked === true
  expect((await apply(from, RICH.replace('    price_locked: true\n', ''), LATER)).changes).toEqual([])
  expect(await isLocked()).toBe(true)
  const unlocked = RICH.replace('price_locked: true', 'price_locked: false')
  const file = parseDeclarativeFile(unlocked, { name: 'export.yaml', environment: {} })
  const preview = { store: previewStore(from), sealer: box, hashSecret, nowMs: LATER }
  expect((await applyDeclarativeFile(file, preview)).changes).toEqual(['model gpt: price_locked true → none'])
  expect(await isLocked()).toBe(true)
  expect((await apply(from, unlocked, LATER)).changes).toEqual(['model gpt: price_locked true → none'])
  expect(await isLocked()).toBe(false)
})

test('an export says that settings of payments, redeem codes, announcements and planned prices stay behind where there are some', async () => {
  await apply(from, RICH, now)
  const remarksNow = async () => (await exportFile({ store: from, opener: null, nowMs: LATER })).remarks
  expect(await remarksNow()).toEqual([])
  await from.settings.write('payments', JSON.stringify({ mode: 'live' }))
  const grants = { kind: 'balance', amount: 5_000_000_000n as NanoUsd } as const
  const code = { id: 'rdm_1', codeStart: 'AB', codeEnd: 'YZ', grants, note: '', createdAt: now, expiresAt: null }
  expect(await from.redeemCodes.create(code, 'hash of the code')).toBe(true)
  const text = { en: 'Maintenance', 'zh-CN': '维护' }
  await from.announcements.addAnnouncement(
    {
      id: 'ann_1',
      createdAt: now,
      kind: 'notice',
      level: 'info',
      title: text,
      text,
      audience: { to: 'all' },
      shows: 'once',
      startsAt: now,
      endsAt: null,
    },
    10,
  )
  const [gpt] = (await from.catalog.models()).filter(({ name }) => name === 'gpt')
  const model = gpt ?? never()
  await from.catalog.putModel({ ...model, scheduled: { effectiveAt: LATER, prices: model.prices, by: 'a test' } })
  expect(await remarksNow()).toEqual([
    'The settings of payments are left out, and have to be set again on the console or by the API.',
    'Redeem codes are left out: those that were handed out do not work on another installation.',
    'Announcements are left out, and have to be written again on the console or by the API.',
    'Prices that are planned are left out, and have to be planned again: gpt.',
  ])
})

test('one of many accounts or keys is not made beside requests', async () => {
  const many = (accounts: number, keys: number) =>
    ({
      accounts: { list: async (limit: number) => Array.from({ length: Math.min(limit, accounts) }) },
      keys: { list: async ({ limit }: { limit: number }) => Array.from({ length: Math.min(limit, keys) }) },
    }) as unknown as Store
  expect(await boundedExport(many(1_001, 0), now)).toBeNull()
  expect(await boundedExport(many(0, 5_001), now)).toBeNull()
  expect(await boundedExport(from, now)).not.toBeNull()
})
