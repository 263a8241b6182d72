import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDeclarativeFile, readDeclarativeFile } from './declarative-file.ts'
import { ConfigurationError } from '../installation/environment.ts'

const nothing = {
  upstreams: new Set<string>(),
  models: new Set<string>(),
  groups: new Set<string>(),
  plans: new Set<string>(),
  accounts: new Set<string>(),
}

function parse(text: string, environment: Record<string, string> = {}) {
  const file = parseDeclarativeFile(text, { name: 'tollgate.yaml', environment })
  file.checkReferences(nothing)
  return file.declaration
}

function refusal(text: string, environment: Record<string, string> = {}): string {
  try {
    parse(text, environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

/** The example of the contract. */
const whole = `upstreams:
  - name: openai-main
    protocol: openai            # a comment with \${NOTHING}
    base_url: https://api.example.test/v1/
    credential: \${OPENAI_KEY}
    timeout_ms: 600000
    headers: { OpenAI-Organization: org-1 }
models:
  - name: gpt-5.5
    price: { input: "2.50", output: "10", cache_read: "0.25", cache_write: "3.125" }
    context_tokens: 400000
    max_output_tokens: 128000
    targets:
      - { upstream: openai-main, model: gpt-5.5, priority: 0, weight: 1, groups: [default] }
groups:
  - { name: default, multiplier: "1", models: ["gpt-5.5"], enabled: true }
  - { name: all, multiplier: "0.85", models: ["*"], open: false }
plans:
  - { name: pro, groups: [default], days: 30, price: "20", quotas: [{ window: 5h, usd: "5" }, { window: 7d, usd: "40" }] }
accounts:
  - { email: ada@example.test, password: "correct horse battery", role: admin, balance: "100" }
  - { email: bob@example.test, subscription: pro }
keys:
  - { account: Ada@example.test, name: laptop, group: default, custom_key: ada-laptop-2f9c61d07b3e }
  - account: ada@example.test
    name: everything
    group: default
    fallback_groups: [all]
    quota_limit: "12.5"
    quota_reset: monthly
    rate_limit: { concurrency: 2, requests_per_minute: 60, tokens_per_minute: 0, spend: [{ window: 5h, usd: "5" }] }
    expires_at: 2027-01-31T00:00:00+01:00
    custom_key: \${KEY}
    allowed_models: [gpt-5.5]
    allowed_ips: [203.0.113.7, 10.0.0.0/8]
    status: disabled
`
const environment = { OPENAI_KEY: 'sk-upstream', KEY: 'everything-7Hq2xVn9Ktz4Lp' }

function unlimited(name: string, secret: string) {
  const { sealedSecret, sealedProxyUrl: proxyUrl, ...rest } = unlimitedCredential(secret, name)
  return { ...rest, secret: sealedSecret, proxyUrl, isDisabled: false }
}

test('the credentials of an upstream are read with their limits', () => {
  const { upstreams } = parse(`
upstreams:
  - name: pool
    protocol: openai
    base_url: https://api.example.test/v1
    credentials:
      - { name: a, secret: sk-a }
      - name: b
        secret: sk-b
        weight: 3
        realm: org-2
        max_concurrency: 4
        requests_per_minute: 60
        tokens_per_minute: 100000
        spend_per_day: "12.50"
        models: [m]
        expires_at: 2030-01-01T00:00:00Z
        proxy_url: socks5://way.example.test:1080
        disabled: true
`)
  expect(upstreams[0]?.credentials).toEqual([
    unlimited('a', 'sk-a'),
    {
      name: 'b',
      secret: 'sk-b',
      weight: 3,
      realm: 'org-2',
      maxConcurrency: 4,
      requestsPerMinute: 60,
      tokensPerMinute: 100_000,
      spendPerDay: 12_500_000_000n,
      models: ['m'],
      expiresAt: Date.UTC(2030, 0, 1),
      proxyUrl: 'socks5://way.example.test:1080',
      isDisabled: true,
    },
  ])
})

test('the example of the contract is read whole', () => {
  expect(parse(whole, environment)).toEqual({
    upstreams: [
      {
        name: 'openai-main',
        protocol: 'openai',
        baseUrl: 'https://api.example.test/v1',
        credentials: [unlimited('default', 'sk-upstream')],
        timeoutMs: 600_000,
        connectTimeoutMs: null,
        firstByteTimeoutMs: null,
        maxConcurrency: null,
        proxyUrl: null,
        headers: { 'openai-organization': 'org-1' },
      },
    ],
    models: [
      {
        name: 'gpt-5.5',
        prices: {
          input: 2_500_000_000n,
          output: 10_000_000_000n,
          cacheRead: 250_000_000n,
          cacheWrite: 3_125_000_000n,
          cacheWrite1h: null,
          other: null,
          units: null,
        },
        contextTokens: 400_000,
        isPriceLocked: null,
        maxOutputTokens: 128_000,
        targets: [{ upstream: 'openai-main', model: 'gpt-5.5', priority: 0, weight: 1, groups: ['default'] }],
      },
    ],
    groups: [
      { name: 'default', multiplier: 1_000_000n, models: ['gpt-5.5'], isEnabled: true, isOpen: true },
      { name: 'all', multiplier: 850_000n, models: ['*'], isEnabled: true, isOpen: false },
    ],
    plans: [
      {
        name: 'pro',
        groups: ['default'],
        opensGroups: true,
        days: 30,
        price: 20_000_000_000n,
        quotas: [
          { window: '5h', usd: 5_000_000_000n },
          { window: '7d', usd: 40_000_000_000n },
        ],
      },
    ],
    accounts: [
      {
        email: 'ada@example.test',
        password: 'correct horse battery',
        passwordHash: null,
        role: 'admin',
        status: null,
        balance: 100_000_000_000n,
        subscription: null,
        subscriptions: [],
        openGroups: null,
        multipliers: null,
      },
      {
        email: 'bob@example.test',
        password: null,
        passwordHash: null,
        role: 'user',
        status: null,
        balance: null,
        subscription: 'pro',
        subscriptions: [],
        openGroups: null,
        multipliers: null,
      },
    ],
    keys: [
      {
        email: 'Ada@example.test',
        secret: 'ada-laptop-2f9c61d07b3e',
        name: 'laptop',
        group: 'default',
        fallbackGroups: [],
        quotaLimit: null,
        quotaReset: 'never',
        rateLimit: null,
        expiresAt: null,
        allowedModels: [],
        allowedIps: [],
        responseCache: 'group',
        tags: [],
        status: null,
      },
      {
        email: 'ada@example.test',
        secret: 'everything-7Hq2xVn9Ktz4Lp',
        name: 'everything',
        group: 'default',
        fallbackGroups: ['all'],
        quotaLimit: 12_500_000_000n,
        quotaReset: 'monthly',
        rateLimit: {
          concurrency: 2,
          requestsPerMinute: 60,
          tokensPerMinute: 0,
          spend: [{ window: '5h', usd: 5_000_000_000n }],
        },
        expiresAt: Date.UTC(2027, 0, 30, 23),
        allowedModels: ['gpt-5.5'],
        allowedIps: ['203.0.113.7/32', '10.0.0.0/8'],
        responseCache: 'group',
        tags: [],
        status: 'disabled',
      },
    ],
  })
})

test('an empty file defines nothing', () => {
  const empty = { upstreams: [], models: [], groups: [], plans: [], accounts: [], keys: [] }
  expect(parse('')).toEqual(empty)
  expect(parse('# nothing yet\nupstreams:\n')).toEqual(empty)
})

describe('substitution', () => {
  const account = (password: string) => `accounts:\n  - { email: a@b.test, password: ${password} }\n`

  test('works in YAML’s flow style, inside quotes and beside other text', () => {
    expect(parse(account('${P}'), { P: 'twelve chars' }).accounts[0]?.password).toBe('twelve chars')
    expect(parse(account('"<${P}>"'), { P: 'twelve chars' }).accounts[0]?.password).toBe('<twelve chars>')
    expect(parse(account('${P}-${Q}'), { P: 'twelve', Q: 'chars' }).accounts[0]?.password).toBe('twelve-chars')
  })

  test('what is substituted is never read as YAML', () => {
    const hostile = 'x", role: admin }\n- { email: "e@f.test" #'
    expect(parse(account('${P}'), { P: hostile }).accounts).toHaveLength(1)
    expect(parse(account('${P}'), { P: hostile }).accounts[0]).toMatchObject({ password: hostile, role: 'user' })
    expect(parse(account('${P}'), { P: '${HOME}/$${X}' }).accounts[0]?.password).toBe('${HOME}/$${X}')
  })

  test('"$${" stands for the characters themselves', () => {
    expect(parse(account('$${PASSWORD}')).accounts[0]?.password).toBe('${PASSWORD}')
  })

  test('a variable may give a number', () => {
    const model = 'models: [{ name: m, context_tokens: ${T}, targets: [{ upstream: u }] }]'
    const upstream = 'upstreams: [{ name: u, protocol: demo }]\n'
    expect(parse(upstream + model, { T: '4096' }).models[0]?.contextTokens).toBe(4096)
  })

  test.for([
    ['${MISSING}', 'tollgate.yaml, line 2, column 34: the environment variable MISSING is not set'],
    ['${not a name}', 'tollgate.yaml, line 2, column 34: ${not a name} names no environment variable'],
    ['"${OPEN"', 'tollgate.yaml, line 2, column 34: "${" has no "}" on its line'],
  ] as const)('%s is refused with its place', ([password, expected]) => {
    expect(refusal(account(password))).toContain(expected)
  })
})

test('names that the database has already need not stand in the file', () => {
  const text =
    'keys: [{ account: A@b.test, name: k, group: g, fallback_groups: [h], custom_key: ada-laptop-2f9c61d07b3e, allowed_models: [m] }]'
  const file = parseDeclarativeFile(text, { name: 'f', environment: {} })
  const existing = { ...nothing, accounts: new Set(['a@b.test']), groups: new Set(['g', 'h']), models: new Set(['m']) }
  expect(() => file.checkReferences(existing)).not.toThrow()
  expect(() => file.checkReferences({ ...existing, groups: new Set(['g']) })).toThrow(/there is no group "h"/)
})

test('aliases work, and cannot make a small file into a huge one', () => {
  const declaration = parse(`upstreams: [{ name: u, protocol: demo }]
models:
  - { name: a, targets: &t [{ upstream: u, model: x }] }
  - { name: b, targets: *t }`)
  expect(declaration.models[1]?.targets).toEqual(declaration.models[0]?.targets)
  const many = Array.from({ length: 101 }, () => '*m').join(', ')
  expect(refusal(`models: [&m { name: a }]\ngroups: [{ name: g, models: [${many}] }]`)).toContain(
    'more than 100 aliases',
  )
  const doubling = Array.from({ length: 30 }, (_, i) => `- &l${i + 1} [*l${i}, *l${i}]`).join('\n')
  expect(refusal(`upstreams:\n- &l0 [1]\n${doubling}`)).toMatch(/aliases|too much/)
  expect(refusal('upstreams: &a [*a]')).toMatch(/YAML|too much|aliases/)
})

describe('the file on the disk', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-declarative-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('is read by its path', async () => {
    await writeFile(join(folder, 't.yaml'), whole)
    const file = await readDeclarativeFile(join(folder, 't.yaml'), environment)
    expect(file.declaration.keys).toHaveLength(2)
    expect(file.refusal(['keys', 1, 'custom_key'], 'is taken').message).toBe(
      't.yaml, line 33, column 17: keys[1].custom_key is taken.',
    )
  })

  test.for([
    ['does not exist', async () => {}, /cannot be opened \(ENOENT\): correct the path/],
    ['is not UTF-8', (path: string) => writeFile(path, Buffer.from([0x23, 0xff, 0xfe])), /not UTF-8/],
    ['holds reserved characters', (path: string) => writeFile(path, '# \uf8d1'), /private-use/],
  ] as const)('is refused when it $0', async ([, prepare, expected]) => {
    await prepare(join(folder, 't.yaml'))
    await expect(readDeclarativeFile(join(folder, 't.yaml'), {})).rejects.toThrow(expected)
  })

  test('is refused when it is a folder', async () => {
    await expect(readDeclarativeFile(folder, {})).rejects.toThrow(ConfigurationError)
    await expect(readDeclarativeFile(join(folder, 'no.yaml'), {}, 'FILE')).rejects.toThrow(
      /^FILE is ".*correct the path\.$/,
    )
  })
})

test('settings of Claude Code are a map with a setting in it, whose contents are kept as they are', () => {
  const group = (settings: string) => `groups: [{ name: g, models: ["*"], claude_settings: ${settings} }]`
  expect(refusal(group('all'))).toContain('claude_settings is "all", but it must be a map of settings of Claude Code')
  expect(refusal(group('{}'))).toContain('but it must have a setting in it, or be null')
  expect(parse(group('{ env: { A: "1" }, n: .nan }')).groups[0]?.claudeSettings).toEqual({ env: { A: '1' }, n: null })
})
