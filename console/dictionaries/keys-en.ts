import type { ApiKeyView } from '../../src/contract/keys.ts'
import type { CountField, SpendWindow } from './limit-fields.ts'
import { keySetUpEn } from './key-set-up-en.ts'
import { plural } from './plural.ts'

/** What a key will be, for the sentence that sums it up; amounts, counts and dates are already formatted. */
export interface KeySummaryFacts {
  readonly name: string
  readonly group: string
  readonly multiplier: string | null
  readonly models:
    | { readonly kind: 'all'; readonly count: number | null }
    | { readonly kind: 'chosen'; readonly names: readonly string[] }
  readonly fallbackGroups: readonly string[]
  readonly until: string | null
  readonly quota: {
    readonly amount: string
    readonly reset: ApiKeyView['quota_reset']
    /** What all periods until the key expires add up to; null: there is one, or the key never expires. */
    readonly inAll: string | null
  } | null
  /** The counts that are limited. */
  readonly counts: readonly { readonly field: CountField; readonly count: string }[]
  readonly spend: readonly { readonly window: SpendWindow; readonly amount: string }[]
  /** How many addresses it may be used from; 0: all. */
  readonly addresses: number
  readonly isCustom: boolean
}

const periods: Readonly<Record<ApiKeyView['quota_reset'], string>> = {
  never: 'in total',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
}

const windows: Readonly<Record<SpendWindow, string>> = { '5h': '5 hours', '1d': 'day', '7d': '7 days' }

export const texts = {
  proposedNames: { mac: 'My Mac', windows: 'My Windows PC', linux: 'My Linux computer', other: 'My key' },
  lead: 'Create one key per client, so you can track and revoke each separately. A key can call the models of its group.',
  list: 'API keys',
  baseUrls: {
    title: 'Base URLs',
    openai: 'OpenAI-compatible',
    openaiHint: 'For most clients. They append /chat/completions or /responses.',
    anthropic: 'Anthropic and Gemini',
    anthropicHint: 'For Claude Code, Gemini CLI, and the Anthropic and Google SDKs. They append /v1 or /v1beta.',
  },
  statuses: {
    active: 'Active',
    disabled: 'Disabled',
    expired: 'Expired',
    quota_exhausted: 'Limit reached',
  } satisfies Record<ApiKeyView['status'], string>,
  columns: {
    name: 'Name',
    status: 'Status',
    group: 'Group',
    spent: 'Spent',
    limit: 'Limit',
    activity: 'Last 30 days',
    lastUsed: 'Last used',
    expires: 'Expires',
    created: 'Created',
    models: 'Models',
    limits: 'Rate limits',
    tags: 'Tags',
    actions: 'Actions',
  },
  tag: 'Tag',
  noTags: 'no tags yet',
  search: 'Search name or secret',
  neverUsed: 'Not used yet',
  notFound: 'This key was deleted, or belongs to another account.',
  permanent: 'Never',
  allModels: 'all in the group',
  noLimits: 'none',
  managed: 'Managed',
  managedWhy:
    'This key is managed in the configuration file (TOLLGATE_CONFIG). To change it, edit the file and apply it. Here you can view, use and disable it.',
  groupOff: 'Group disabled',
  overlap: (end: string, when: string) => `Previous secret …${end} stops working ${when}`,
  overlapShort: (end: string, when: string) => `…${end} stops ${when}`,
  overlapUnused: 'Not used since rotation',
  overlapUsed: (ago: string) => `Last used ${ago}`,
  captured: (until: string) => `Captured by an admin until ${until}`,
  ofLimit: (limit: string) => `of ${limit}`,
  ofQuota: (limit: string, reset: ApiKeyView['quota_reset']) => `of ${limit} ${periods[reset]}`,
  resets: (when: string) => `resets ${when}`,
  raised: (when: string, limit: string) => `Raised by an admin, back to ${limit} ${when}`,
  spendMeter: (name: string) => `Spending limit used by ${name}`,
  limitParts: {
    counts: {
      concurrency: (count: string) => `${count} concurrent`,
      requests_per_minute: (count: string) => `${count} requests/min`,
      tokens_per_minute: (count: string) => `${count} tokens/min`,
    } satisfies Record<CountField, (count: string) => string>,
    spend: (amount: string, window: SpendWindow) => `${amount} per ${windows[window]}`,
  },
  empty: {
    title: 'No keys yet',
    text: 'Give your first key a name to get started.',
  },
  actionsOf: (name: string) => `Actions for ${name}`,
  use: 'Use key',
  useOf: (name: string) => `Use ${name}`,
  import: 'Import into an app',
  test: 'Check',
  edit: 'Edit',
  rotate: 'Rotate secret',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  create: 'Create key',
  form: {
    title: 'Create a key',
    editTitle: (name: string) => `Edit ${name}`,
    name: 'Name',
    nameTaken: (name: string, end: string) =>
      `Another key, ending in ${end}, is also called ${name}. Use a different name to tell them apart.`,
    nameHint: 'What it’s for, such as “laptop” or “nightly report”. It appears on every request.',
    group: 'Group',
    groupPlaceholder: 'Choose a group',
    groupModels: (count: number) => plural(count, { one: `${count} model`, other: `${count} models` }),
    groupLacks: (names: string) => `no ${names}`,
    groupClosed: 'needs a subscription',
    groupOff: 'disabled',
    noGroup: 'You don’t have access to any group. Ask an admin.',
    validity: 'Expires',
    validities: {
      permanent: 'Never',
      days: (count: number) => plural(count, { one: 'In 1 day', other: `In ${count} days` }),
      date: 'On a date',
      unchanged: 'No change',
    },
    lastDay: 'Last day',
    validUntil: (date: string) => `Valid until ${date}.`,
    validAtMost: (days: number) =>
      plural(days, {
        one: 'The longest validity here is 1 day.',
        other: `The longest validity here is ${days} days.`,
      }),
    more: 'Advanced',
    moreSummary: 'Rate limits, models, IPs, fallback groups, tags, custom key',
    moreSummaryEdit: 'Rate limits, models, IPs, fallback groups, tags',
    quota: 'Spending limit',
    quotaHint: 'In USD. Leave empty for no limit.',
    quotaReset: 'Resets',
    quotaMost: (most: string) => `At most ${most} in this group.`,
    resets: {
      never: 'Never',
      daily: 'Every day (UTC)',
      weekly: 'Every Monday (UTC)',
      monthly: 'Every month (UTC)',
    } satisfies Record<ApiKeyView['quota_reset'], string>,
    limits: 'Rate limits',
    limitsHint: 'Leave empty for no limit.',
    counts: {
      concurrency: 'Concurrent requests',
      requests_per_minute: 'Requests per minute',
      tokens_per_minute: 'Tokens per minute',
    } satisfies Record<CountField, string>,
    spend: 'Rolling limits',
    spendHint: 'In USD. Each starts with the first request.',
    windows: { '5h': '5 hours', '1d': '1 day', '7d': '7 days' } satisfies Record<SpendWindow, string>,
    models: 'Models',
    modelsHint: 'Leave empty for every model in the group, including ones added later.',
    modelsPlaceholder: 'All models in the group',
    ips: 'Allowed IP addresses',
    ipsHint: 'IP addresses or ranges such as 10.0.0.0/8, one per line. Leave empty to allow any address.',
    fallback: 'Fallback groups',
    fallbackHint:
      'Tried in this order when the group does not serve a model, or none of its upstreams answers. The group that serves a request sets its price.',
    fallbackPlaceholder: 'None',
    tags: 'Tags',
    tagsHint: 'For example, a team, a project or a cost center, separated by commas. Usage shows spending by tag.',
    tagsOffered: 'Tags of other keys',
    addTag: (tag: string) => `Add tag ${tag}`,
    responseCache: 'Response cache',
    responseCacheHint:
      'The group can reuse a stored response for an identical request, at its price for cached responses.',
    responseCaches: {
      group: 'Group default',
      key: 'Only responses to this key',
      off: 'Off',
    } satisfies Record<ApiKeyView['response_cache'], string>,
    custom: 'Use a custom key',
    customHint:
      'Not recommended. A generated secret can’t be guessed, and the gateway can tell when it was copied incompletely. Use this only to move a key that programs already use.',
    customKey: 'Secret',
    customKeyHint: '20 to 128 letters, digits, “-” and “_”. Hard to guess, and not starting with sk-tg-.',
    submit: 'Create key',
    saved: (name: string) => `${name} was saved`,
    unchanged: 'No changes.',
  },
  objections: {
    required: 'Required.',
    name_long: 'Use at most 100 characters.',
    date_missing: 'Choose a date.',
    date_past: 'Choose a date in the future.',
    amount_unreadable: 'Enter an amount in USD, such as 12.50 or 1,234.50.',
    count_unreadable: 'Enter a whole number of 1 or more, such as 60.',
    address_unreadable: 'Enter IP addresses or ranges such as 10.0.0.0/8, one per line.',
    tag_form: 'Use at most 40 characters for each tag, without quotation marks or backslashes.',
    tags_many: 'Use at most 20 tags.',
    custom_form: 'Use 20 to 128 letters, digits, “-” and “_”. It must not start with sk-tg-.',
  },
  summaryLabel: 'Summary',
  summary: summarySentence,
  secret: {
    title: (name: string) => `Key created: ${name}`,
    rotatedTitle: (name: string) => `New secret for ${name}`,
    once: 'The secret is shown only once. Copy it now.',
    label: 'Secret',
    copy: 'Copy secret',
    environment: '.env',
    setUp: 'Set up a client',
    import: 'Import',
    test: 'Test',
    code: 'QR code of the secret',
    codeHint:
      'Scan it with an app that reads text, not with one that searches the web for it. Anyone who photographs the code has your key.',
    environmentLead: 'Keep this file out of your repository.',
    saved: 'I’ve saved the secret',
    done: 'Done',
    leaveTitle: 'Close without saving the secret?',
    leaveText:
      'You haven’t copied or saved it, and it can’t be shown again. To get a new one, you’d have to rotate the key.',
    leave: 'Close anyway',
    stay: 'Go back',
    lost: 'The key was created, but the connection dropped before its secret arrived, and the secret is sent only once. Rotate the key to get a new one.',
  },
  rotation: {
    title: (name: string) => `Rotate ${name}`,
    lead: 'You’ll get a new secret, shown once. Name, limits and history stay the same.',
    overlap: 'Old secret',
    overlaps: {
      none: 'It leaked: revoke now',
      hour: 'Keep for 1 hour',
      day: 'Keep for 24 hours',
      week: 'Keep for 7 days',
    },
    overlapDetails: {
      none: 'Stops working at once, and so do responses in progress.',
      hour: 'Enough to update one client.',
      day: 'For upkeep: enough to update a few machines.',
      week: 'For machines you rarely touch.',
    },
    running: (end: string, until: string) =>
      `An earlier secret (…${end}) still works until ${until}. If you rotate now, it stops working.`,
    submit: 'Rotate secret',
    submitNow: 'Rotate and revoke old',
    overlapSaid: (until: string) => `The old secret works until ${until}. The list shows when it was last used.`,
    stopped: 'The old secret has stopped working.',
  },
  confirm: {
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText:
      'Its secret stops working immediately, and responses in progress are stopped. Its usage stays in your records. This can’t be undone.',
    deleteUnused: 'It was never used.',
    deleteUsed: (when: string) => `It was last used ${when}.`,
    deleteAction: 'Delete key',
    disableTitle: (name: string) => `Disable ${name}?`,
    disableText:
      'Its secret stops working immediately, and responses in progress are stopped. You can enable it again.',
    disableAction: 'Disable key',
    deleted: (name: string) => `${name} was deleted`,
    disabled: (name: string) => `${name} was disabled`,
    enabled: (name: string) => `${name} was enabled`,
    bulkDeleteTitle: (count: number) => plural(count, { one: `Delete ${count} key?`, other: `Delete ${count} keys?` }),
    bulkDisableTitle: (count: number) =>
      plural(count, { one: `Disable ${count} key?`, other: `Disable ${count} keys?` }),
    bulkDeleteText:
      'Their secrets stop working immediately, and responses in progress are stopped. Their usage stays in your records. This can’t be undone.',
    bulkDisableText:
      'Their secrets stop working immediately, and responses in progress are stopped. You can enable them again.',
    bulkDeleteAction: (count: number) => plural(count, { one: 'Delete key', other: `Delete ${count} keys` }),
    bulkDisableAction: (count: number) => plural(count, { one: 'Disable key', other: `Disable ${count} keys` }),
    andMore: (count: number) => `and ${count} more`,
    bulkDone: (count: number) => plural(count, { one: `${count} key changed`, other: `${count} keys changed` }),
    bulkFailed: (count: number) =>
      plural(count, { one: `${count} key couldn’t be changed`, other: `${count} keys couldn’t be changed` }),
  },
  testing: {
    running: 'Checking…',
    good: (count: number) =>
      plural(count, {
        one: 'Works with 1 model.',
        other: `Works with ${count} models.`,
      }),
    bad: 'A request with this key would be refused.',
    models: 'Models it can call now',
    again: 'Check again',
  },
  activity: {
    today: (amount: string) => `${amount} today`,
    label: (name: string, total: string) => `${name}: ${total} in the last 30 days`,
  },
  noCredit: {
    title: 'No credit',
    text: 'Your account has no balance and no subscription, so requests with these keys are refused.',
    action: 'Add credit',
  },
  ...keySetUpEn,
}

const countParts: Readonly<Record<CountField, (count: string) => string>> = {
  concurrency: (count) => `${count} concurrent requests`,
  requests_per_minute: (count) => `${count} requests per minute`,
  tokens_per_minute: (count) => `${count} tokens per minute`,
}

function summarySentence(facts: KeySummaryFacts): string {
  const name = facts.name === '' ? 'This key' : `“${facts.name}”`
  const sentences = [
    `${name} can call ${modelsOf(facts)}.`,
    `It ${facts.until === null ? 'never expires' : `is valid until ${facts.until}`} and can spend ${
      facts.quota === null ? 'your whole balance' : `up to ${facts.quota.amount} ${periods[facts.quota.reset]}`
    }${facts.quota?.inAll == null ? '' : `, ${facts.quota.inAll} before it expires`}.`,
  ]
  const limits = [
    ...facts.counts.map(({ field, count }) => countParts[field](count)),
    ...facts.spend.map(({ amount, window }) => `${amount} per ${windows[window]}`),
  ]
  if (limits.length > 0) sentences.push(`Limited to ${listed(limits)}.`)
  if (facts.addresses > 0) {
    sentences.push(
      `Works only from ${plural(facts.addresses, { one: 'one IP address', other: `${facts.addresses} IP addresses or ranges` })}.`,
    )
  }
  if (facts.isCustom) sentences.push('It uses your own secret.')
  return sentences.join(' ')
}

function modelsOf({ group, multiplier, models, fallbackGroups }: KeySummaryFacts): string {
  if (group === '') return 'the models of the group you choose'
  const price = multiplier === null || multiplier === '1' ? '' : ` at ${multiplier}× the price`
  const others = fallbackGroups.length === 0 ? '' : `, and falls back to ${listed(fallbackGroups)}`
  if (models.kind === 'chosen') return `${chosen(models.names)} in ${group}${price}${others}`
  const count =
    models.count === null ? 'every model' : models.count === 1 ? 'the one model' : `all ${models.count} models`
  return `${count} in ${group}${price}${others}`
}

function chosen(names: readonly string[]): string {
  return names.length <= 2 ? listed(names) : `${names.length} selected models`
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
}
