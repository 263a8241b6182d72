import { BOUNDS } from '../../src/core/bounds.ts'

/** A value as it is sent, written or typed. */
export type Sample = number | string | readonly unknown[]

export interface Sent {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
}

/** Where a field is set, with which value. Absent: the field is not set there. */
export interface Probe {
  readonly api?: (value: Sample) => Sent
  readonly file?: (value: Sample) => object
  readonly cli?: (value: Sample) => { readonly args: readonly string[]; readonly stdin?: string }
  /** A text or a list of this size, where letters and single words are not of the right form. */
  readonly ofSize?: (size: number) => Sample
}

type Probes = {
  readonly [Name in keyof typeof BOUNDS]: { readonly [Field in keyof (typeof BOUNDS)[Name]]: Probe }
}

/** The objects that are there, by their ids and names. */
export interface Fixtures {
  readonly accountId: string
  readonly subscriptionId: string
}

let count = 0
const other = () => `n${++count}`
const text = (value: Sample) => String(value)

/** A way to set each field of the table in the API, the file and on the command line. Without a new row's it does not compile. */
export function boundProbes({ accountId, subscriptionId }: Fixtures): Probes {
  const post = (path: string, body: object): Sent => ({ method: 'POST', path, body })
  const account = (body: object): Sent => ({ method: 'PATCH', path: `/api/accounts/${accountId}`, body })
  const settings = (body: object): Sent => ({ method: 'PATCH', path: '/api/settings', body })
  const setting = (name: string): Probe => ({
    api: (value) => settings({ [name]: value }),
    file: (value) => ({ settings: { [name]: value } }),
  })

  const BASE_URL = 'https://api.example.test/v1'
  const address = (size: number) => (size === 0 ? '' : `${BASE_URL}/`.padEnd(size, 'x'))
  const upstreamWith = (over: object) => ({ name: other(), protocol: 'openai', base_url: BASE_URL, ...over })
  const upstream = (field: string, value: (sample: Sample) => unknown = (sample) => sample): Probe => ({
    api: (sample) => post('/api/upstreams', upstreamWith({ [field]: value(sample) })),
    file: (sample) => ({ upstreams: [upstreamWith({ [field]: value(sample) })] }),
  })
  const ofCloud = (dialect: string, field: string): Probe => ({
    api: (sample) => post('/api/upstreams', upstreamWith({ dialect, [field]: sample })),
    file: (sample) => ({ upstreams: [upstreamWith({ dialect, [field]: sample })] }),
  })
  const ofPool = (field: string, value: (sample: Sample) => unknown = (sample) => sample): Probe =>
    upstream('credentials', (sample) => [
      { name: 'whole', secret: 's' },
      { name: 'a', secret: 's', [field]: value(sample) },
    ])

  const modelWith = (over: object) => ({ name: other(), targets: [], ...over })
  const model = (field: string, value: (sample: Sample) => unknown = (sample) => sample): Probe => ({
    api: (sample) => post('/api/models', modelWith({ [field]: value(sample) })),
    file: (sample) => ({ models: [modelWith({ [field]: value(sample) })] }),
  })
  const target = (over: (sample: Sample) => object): Probe =>
    model('targets', (sample) => [
      { upstream: 'u', model: 'n' },
      { upstream: 'u', model: 'm', ...over(sample) },
    ])
  const price = (over: (sample: Sample) => object): Probe =>
    model('price', (sample) => ({ input: '1', output: '1', ...over(sample) }))
  const aFactor = { factor: '2' }
  const named = (size: number) => Array.from({ length: size }, (_, i) => `r${i}`)

  const groupWith = (over: object) => ({ name: other(), models: [], ...over })
  const group = (field: string, value: (sample: Sample) => unknown = (sample) => sample): Probe => ({
    api: (sample) => post('/api/groups', groupWith({ [field]: value(sample) })),
    file: (sample) => ({ groups: [groupWith({ [field]: value(sample) })] }),
  })
  const planWith = (over: object) => ({ name: other(), groups: ['g'], days: 30, price: '1', ...over })
  const plan = (field: string, value: (sample: Sample) => unknown = (sample) => sample): Probe => ({
    api: (sample) => post('/api/plans', planWith({ [field]: value(sample) })),
    file: (sample) => ({ plans: [planWith({ [field]: value(sample) })] }),
  })
  const ofAccount = (over: (sample: Sample) => object): Probe => ({
    api: (sample) => account(over(sample)),
    file: (sample) => ({ accounts: [{ email: 'a@example.test', ...over(sample) }] }),
  })
  const limit = (field: string, flag: string): Probe => ({
    ...ofAccount((sample) => ({ limits: { [field]: sample } })),
    cli: (sample) => ({ args: ['account', 'limits', 'a@example.test', `--${flag}=${text(sample)}`] }),
  })
  const spend = (sample: Sample) => [{ window: '5h', usd: sample }]

  const keyWith = (over: object) => ({ name: other(), group: 'g', ...over })
  const key = (over: (sample: Sample) => object, flags?: (sample: Sample) => string): Probe => ({
    api: (sample) => post('/api/keys', keyWith(over(sample))),
    file: (sample) => ({
      keys: [{ account: 'a@example.test', custom_key: 'x'.repeat(30), ...keyWith(over(sample)) }],
    }),
    ...(flags === undefined
      ? {}
      : {
          cli: (sample) => {
            const given = flags(sample)
            const rest = ['--name=n', '--group=g'].filter((each) => !given.startsWith(each.slice(0, 7)))
            return { args: ['key', 'create', '--account=a@example.test', given, ...rest] }
          },
        }),
  })

  return {
    upstream: {
      name: upstream('name'),
      base_url: { ...upstream('base_url'), ofSize: address },
      credential: upstream('credential'),
      credentials: {
        ...upstream('credentials'),
        ofSize: (size) => Array.from({ length: size }, (_, i) => ({ name: `c${i}`, secret: 's' })),
      },
      timeout_ms: upstream('timeout_ms'),
      connect_timeout_ms: upstream('connect_timeout_ms'),
      first_byte_timeout_ms: upstream('first_byte_timeout_ms'),
      max_concurrency: upstream('max_concurrency'),
      spend_per_day: upstream('spend_per_day'),
      header_name: upstream('headers', (sample) => ({ [text(sample)]: 'x' })),
      header_value: upstream('headers', (sample) => ({ 'x-a': sample })),
      remove_headers: { ...upstream('remove_headers'), ofSize: named },
      region: ofCloud('bedrock', 'region'),
      api_version: ofCloud('azure', 'api_version'),
      proxy_url: { ...upstream('proxy_url'), ofSize: (size) => (size === 0 ? '' : `http://${'x'.repeat(size - 8)}/`) },
    },
    credential: {
      name: ofPool('name'),
      secret: ofPool('secret'),
      setting: upstream('credentials', (sample) => [
        { name: 'a', kind: 'aws', settings: { source: 'profile', profile: sample } },
      ]),
      weight: ofPool('weight'),
      realm: ofPool('realm'),
      max_concurrency: ofPool('max_concurrency'),
      requests_per_minute: ofPool('requests_per_minute'),
      tokens_per_minute: ofPool('tokens_per_minute'),
      spend_per_day: ofPool('spend_per_day'),
      models: { ...ofPool('models'), ofSize: named },
      model: ofPool('models', (sample) => [sample]),
      proxy_url: { ...ofPool('proxy_url'), ofSize: (size) => (size === 0 ? '' : `http://${'x'.repeat(size - 8)}/`) },
    },
    model: {
      name: model('name'),
      context_tokens: model('context_tokens'),
      max_output_tokens: model('max_output_tokens'),
      first_event_timeout_ms: model('first_event_timeout_ms'),
      idle_timeout_ms: model('idle_timeout_ms'),
      timeout_ms: model('timeout_ms'),
      hedge_after_ms: model('hedge_after_ms'),
      targets: {
        ...model('targets'),
        ofSize: (size) => Array.from({ length: size }, (_, i) => ({ upstream: 'u', model: `m${i}` })),
      },
    },
    target: {
      model: target((name) => ({ model: name })),
      priority: target((priority) => ({ priority })),
      weight: target((weight) => ({ weight })),
      groups: { ...target((groups) => ({ groups })), ofSize: named },
      cost_factor: target((factor) => ({ cost: { factor } })),
      min_margin: target((min_margin) => ({ cost: { factor: '1' }, min_margin })),
      spend_per_day: target((spend_per_day) => ({ spend_per_day })),
      fields_like: target((fields_like) => ({ fields_like })),
    },
    price: {
      million: price((output) => ({ output })),
      one: price((per_image) => ({ per_image })),
      above_input_tokens: price((above) => ({ tiers: [{ above_input_tokens: above, input: '2', output: '2' }] })),
      tiers: {
        ...price((tiers) => ({ tiers })),
        ofSize: (size) =>
          Array.from({ length: size }, (_, i) => ({ above_input_tokens: i + 1, input: '2', output: '2' })),
      },
      service_tiers: {
        ...price((names) => ({ service_tiers: Object.fromEntries([names].flat().map((each) => [each, aFactor])) })),
        ofSize: named,
      },
      inference_geo: {
        ...price((names) => ({ inference_geo: Object.fromEntries([names].flat().map((each) => [each, aFactor])) })),
        ofSize: named,
      },
      rule_name: price((name) => ({ service_tiers: { [text(name)]: aFactor } })),
      factor: price((factor) => ({ service_tiers: { priority: { factor } } })),
    },
    group: {
      name: group('name'),
      multiplier: group('multiplier'),
      models: { ...group('models'), ofSize: named },
      model: group('models', (sample) => [sample]),
      cache_ttl_seconds: group('cache', (ttl_seconds) => ({ ttl_seconds })),
      device_quota: group('devices', (max_quota) => ({ max_quota })),
      device_max_days: group('devices', (max_days) => ({ max_days })),
    },
    plan: {
      name: plan('name'),
      groups: { ...plan('groups'), ofSize: named },
      days: plan('days'),
      price: plan('price'),
      quota_usd: plan('quotas', spend),
    },
    account: {
      name: { api: (name) => ({ method: 'PATCH', path: '/api/me', body: { name } }) },
      email: {
        api: (email) => post('/api/accounts', { email }),
        file: (email) => ({ accounts: [{ email }] }),
        cli: (email) => ({ args: ['account', 'create', `--email=${text(email)}`] }),
        ofSize: (size) => `a@${'b'.repeat(Math.max(0, size - 5))}.io`,
      },
      password: {
        ...ofAccount((password) => ({ password })),
        cli: (password) => ({
          args: ['account', 'create', '--email=a@example.test', '--password-stdin'],
          stdin: `${text(password)}\n`,
        }),
      },
      balance: { file: (balance) => ({ accounts: [{ email: 'a@example.test', balance }] }) },
      open_groups: { ...ofAccount((open_groups) => ({ open_groups })), ofSize: named },
      multipliers: {
        ...ofAccount((multipliers) => ({ multipliers })),
        ofSize: (size) => named(size).map((name) => ({ group: name, multiplier: '1' })),
      },
      own_multiplier: ofAccount((multiplier) => ({ multipliers: [{ group: 'dear', multiplier }] })),
    },
    account_limits: {
      count: limit('concurrency', 'concurrency'),
      spend: {
        ...ofAccount((sample) => ({ limits: { spend: spend(sample) } })),
        cli: (sample) => ({ args: ['account', 'limits', 'a@example.test', `--spend=5h=${text(sample)}`] }),
      },
      max_keys: limit('max_keys', 'max-keys'),
      max_key_validity_days: limit('max_key_validity_days', 'max-key-validity-days'),
    },
    access_token: {
      name: { api: (name) => post('/api/tokens', { name }) },
    },
    invitation: {
      expires_in_hours: { api: (expires_in_hours) => post('/api/invitations', { expires_in_hours }) },
      credit: { api: (credit) => post('/api/invitations', { credit }) },
      open_groups: { api: (open_groups) => post('/api/invitations', { open_groups }), ofSize: named },
      email: { api: (email) => post('/api/invitations/batch', { emails: [email] }) },
      emails: { api: (emails) => post('/api/invitations/batch', { emails }), ofSize: named },
    },
    key: {
      name: key(
        (name) => ({ name }),
        (name) => `--name=${text(name)}`,
      ),
      group: key(
        (name) => ({ group: name }),
        (name) => `--group=${text(name)}`,
      ),
      fallback_groups: {
        ...key(
          (fallback_groups) => ({ fallback_groups }),
          (names) => `--fallback-groups=${text(names)}`,
        ),
        ofSize: named,
      },
      quota_limit: key(
        (quota_limit) => ({ quota_limit }),
        (usd) => `--quota-limit=${text(usd)}`,
      ),
      count: key(
        (concurrency) => ({ rate_limit: { concurrency } }),
        (sample) => `--concurrency=${text(sample)}`,
      ),
      spend: key(
        (sample) => ({ rate_limit: { spend: spend(sample) } }),
        (sample) => `--spend=5h=${text(sample)}`,
      ),
      allowed_models: {
        ...key(
          (allowed_models) => ({ allowed_models }),
          (names) => `--allowed-models=${text(names)}`,
        ),
        ofSize: named,
      },
      allowed_model: key(
        (name) => ({ allowed_models: [name] }),
        (name) => `--allowed-models=${text(name)}`,
      ),
      allowed_ips: {
        ...key(
          (allowed_ips) => ({ allowed_ips }),
          (ranges) => `--allowed-ips=${text(ranges)}`,
        ),
        ofSize: (size) => Array.from({ length: size }, (_, i) => `203.0.113.${i % 256}`),
      },
      allowed_ip: {
        ...key((range) => ({ allowed_ips: [range] })),
        ofSize: (size) => (size === 0 ? '' : size > 64 ? 'x'.repeat(size) : '::1'),
      },
      tags: {
        ...key(
          (tags) => ({ tags }),
          (tags) => `--tags=${text(tags)}`,
        ),
        ofSize: named,
      },
      tag: key(
        (tag) => ({ tags: [tag] }),
        (tag) => `--tags=${text(tag)}`,
      ),
      custom_key: {
        api: (custom_key) => post('/api/keys', keyWith({ custom_key })),
        ofSize: (size) => 'k3Qz-7wVt_9LmXp4RdYb8'.repeat(7).slice(0, size),
      },
    },
    subscription: {
      days: {
        api: (days) => post(`/api/subscriptions/${subscriptionId}/extend`, { days, reason: 'r' }),
        cli: (days) => ({ args: ['subscription', 'renew', 'sub_1', `--days=${text(days)}`] }),
      },
      reason: { api: (reason) => post(`/api/subscriptions/${subscriptionId}/extend`, { days: 1, reason }) },
    },
    ledger_entry: {
      amount: {
        api: (amount) => post(`/api/accounts/${accountId}/ledger`, { amount, reason: 'r' }),
        cli: (amount) => ({ args: ['account', 'adjust', 'a@example.test', text(amount), '--reason=r'] }),
      },
      reason: {
        api: (reason) => post(`/api/accounts/${accountId}/ledger`, { amount: '1', reason }),
        cli: (reason) => ({
          args: ['account', 'credit', '--email=a@example.test', '--amount=1', `--reason=${text(reason)}`],
        }),
      },
    },
    announcement: {
      title: { api: (title) => post('/api/announcements', { title: { en: title, 'zh-CN': title } }) },
      text: {
        api: (words) =>
          post('/api/announcements', { title: { en: 't', 'zh-CN': 't' }, text: { en: words, 'zh-CN': '' } }),
      },
      groups: {
        api: (groups) =>
          post('/api/announcements', { title: { en: 't', 'zh-CN': 't' }, audience: { to: 'groups', groups } }),
        ofSize: named,
      },
    },
    settings: {
      site_name: setting('site_name'),
      imports: {
        api: (imports) => settings({ imports }),
        file: (imports) => ({ settings: { imports } }),
        ofSize: (size) => named(size).map((name) => ({ name, template: 'app://{key}' })),
      },
      import_name: {
        api: (name) => settings({ imports: [{ name, template: 'app://{key}' }] }),
        file: (name) => ({ settings: { imports: [{ name, template: 'app://{key}' }] } }),
      },
      import_template: {
        api: (template) => settings({ imports: [{ name: 'n', template }] }),
        file: (template) => ({ settings: { imports: [{ name: 'n', template }] } }),
        ofSize: (size) => (size === 0 ? '' : `app://${'x'.repeat(Math.max(1, size - 6))}`),
      },
      hidden_imports: {
        ...setting('hidden_imports'),
        ofSize: named,
      },
      hidden_import: {
        api: (id) => settings({ hidden_imports: [id] }),
        file: (id) => ({ settings: { hidden_imports: [id] } }),
      },
      top_up_url: {
        ...setting('top_up_url'),
        ofSize: address,
      },
      support_address: {
        ...setting('support_address'),
        ofSize: address,
      },
      max_devices: setting('max_devices'),
      device_idle_days: setting('device_idle_days'),
      device_max_days: setting('device_max_days'),
    },
    redeem_code: {
      amount: {
        api: (amount) => post('/api/redeem-codes', { amount }),
        cli: (amount) => ({ args: ['redeem-code', 'create', `--usd=${text(amount)}`] }),
      },
      count: {
        api: (number) => post('/api/redeem-codes', { amount: '1', count: number }),
        cli: (number) => ({ args: ['redeem-code', 'create', '--usd=1', `--count=${text(number)}`] }),
      },
      note: {
        api: (note) => post('/api/redeem-codes', { amount: '1', note }),
        cli: (note) => ({ args: ['redeem-code', 'create', '--usd=1', `--note=${text(note)}`] }),
      },
    },
  }
}
