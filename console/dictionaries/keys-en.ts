import type { ApiKeyView, RateLimitView } from '../../src/contract/keys.ts'
import { plural } from './plural.ts'

type SpendWindow = RateLimitView['spend'][number]['window']

/** What a key will be, for the sentence that sums it up; amounts, counts and dates are written out already. */
export interface KeySummaryFacts {
  readonly name: string
  readonly group: string
  readonly multiplier: string | null
  readonly models:
    | { readonly kind: 'all'; readonly count: number | null }
    | { readonly kind: 'chosen'; readonly names: readonly string[] }
  readonly fallbackGroups: readonly string[]
  readonly until: string | null
  readonly quota: { readonly amount: string; readonly reset: ApiKeyView['quota_reset'] } | null
  readonly concurrency: string | null
  readonly requestsPerMinute: string | null
  readonly tokensPerMinute: string | null
  readonly spend: readonly { readonly window: SpendWindow; readonly amount: string }[]
  /** How many addresses it may be used from; 0: all. */
  readonly addresses: number
  readonly isCustom: boolean
}

const periods: Readonly<Record<ApiKeyView['quota_reset'], string>> = {
  never: 'in all',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
}

const windows: Readonly<Record<SpendWindow, string>> = { '5h': '5 hours', '1d': 'day', '7d': '7 days' }

export const keysEn = {
  lead: 'A key lets one client call the models of its group. Give each client a key of its own: then you can tell them apart, and stop one alone.',
  list: 'API keys',
  baseUrls: {
    title: 'Base URLs',
    openai: 'OpenAI-compatible',
    openaiHint: 'For most clients. They add /chat/completions or /responses themselves.',
    anthropic: 'Anthropic and Gemini',
    anthropicHint:
      'For Claude Code, Gemini CLI and the SDKs of Anthropic and Google. They add /v1 or /v1beta themselves.',
  },
  statuses: {
    active: 'Active',
    disabled: 'Disabled',
    expired: 'Expired',
    quota_exhausted: 'Quota used up',
  } satisfies Record<ApiKeyView['status'], string>,
  columns: {
    name: 'Name',
    status: 'Status',
    group: 'Group',
    spent: 'Spent',
    lastUsed: 'Last used',
    expires: 'Expires',
    created: 'Created',
    models: 'Models',
    limits: 'Rate limits',
    actions: 'Actions',
  },
  search: 'Search name or secret',
  neverUsed: 'never',
  permanent: 'no end',
  allModels: 'all of the group',
  noLimits: 'none',
  managed: 'From the file',
  managedWhy:
    'This key comes from the configuration file (TOLLGATE_CONFIG). Change it there and restart; here it can only be looked at and used.',
  groupOff: 'Group disabled',
  overlap: (end: string, when: string) => `Old secret …${end} ends ${when}`,
  overlapUnused: 'not used since',
  overlapUsed: 'last used',
  spentOf: (spent: string, limit: string, reset: ApiKeyView['quota_reset']) => `${spent} of ${limit} ${periods[reset]}`,
  resets: (when: string) => `resets ${when}`,
  spendMeter: (name: string) => `Spent of the quota of ${name}`,
  limitParts: {
    concurrency: (count: string) => `${count} at once`,
    requests: (count: string) => `${count} requests/min`,
    tokens: (count: string) => `${count} tokens/min`,
    spend: (amount: string, window: SpendWindow) => `${amount} per ${windows[window]}`,
  },
  empty: {
    title: 'No keys yet',
    text: 'The first one takes a name and a click.',
  },
  actionsOf: (name: string) => `More for ${name}`,
  use: 'Use key',
  useOf: (name: string) => `Use ${name}`,
  import: 'Import into an app',
  test: 'Test',
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
    nameHint: 'What it is for, such as “laptop” or “nightly report”. It stands on every record.',
    group: 'Group',
    groupPlaceholder: 'Choose a group',
    groupModels: (count: number) => plural(count, { one: `${count} model`, other: `${count} models` }),
    groupClosed: 'needs a subscription that covers it',
    groupOff: 'disabled',
    noGroup: 'There is no group that you may use. Ask an admin for one.',
    validity: 'Valid for',
    validities: {
      permanent: 'No end',
      days: (count: number) => `${count} days`,
      date: 'Until a date',
      unchanged: 'As it is',
    },
    lastDay: 'Last day',
    validUntil: (date: string) => `Works until ${date}.`,
    more: 'More',
    moreSummary: 'Quota, rate limits, models, addresses, fallback groups, custom key',
    moreSummaryEdit: 'Quota, rate limits, models, addresses, fallback groups',
    quota: 'Quota',
    quotaHint: 'The most this key may spend, in USD. Empty: no cap but the balance.',
    quotaReset: 'Starts over',
    resets: {
      never: 'never',
      daily: 'every day (UTC)',
      weekly: 'on Mondays (UTC)',
      monthly: 'every month (UTC)',
    } satisfies Record<ApiKeyView['quota_reset'], string>,
    limits: 'Rate limits',
    limitsHint: 'Empty: no limit.',
    concurrency: 'Requests at once',
    requestsPerMinute: 'Requests a minute',
    tokensPerMinute: 'Tokens a minute',
    spend: 'Spending within a window',
    spendHint: 'In USD. A window opens with the first charge and lasts its length.',
    windows: { '5h': '5 hours', '1d': '1 day', '7d': '7 days' } satisfies Record<SpendWindow, string>,
    models: 'Models',
    modelsHint: 'Empty: every model of the group, also those that are added later.',
    modelsPlaceholder: 'All models of the group',
    ips: 'Addresses',
    ipsHint: 'IP addresses or ranges such as 10.0.0.0/8, one a line. Empty: from anywhere.',
    fallback: 'Fallback groups',
    fallbackHint:
      'Tried in this order when the group can’t serve a model; each request costs what the group that served it takes.',
    fallbackPlaceholder: 'None',
    custom: 'Write the secret myself',
    customHint:
      'Better leave it off: a generated secret can’t be guessed, and the gateway notices at once when it was copied incompletely. It is meant for moving a key that programs use already.',
    customKey: 'Secret',
    customKeyHint: '20 to 128 letters, digits, “-” and “_”, not beginning with sk-tg-, and hard to guess.',
    submit: 'Create key',
    saved: (name: string) => `${name} was saved`,
    unchanged: 'Nothing was changed.',
  },
  objections: {
    required: 'This has to be filled in.',
    name_long: 'A name has at most 100 characters.',
    date_missing: 'Choose the last day.',
    date_past: 'This day is over. Choose a later one.',
    amount_unreadable: 'Write an amount in USD, such as 12.50.',
    count_unreadable: 'Write a whole number from 1.',
    address_unreadable: 'Write IP addresses or ranges such as 10.0.0.0/8, one a line.',
    custom_form: 'It takes 20 to 128 letters, digits, “-” and “_”, and must not begin with sk-tg-.',
  },
  summaryLabel: 'What you are making',
  summary: summarySentence,
  secret: {
    title: (name: string) => `${name} is ready`,
    rotatedTitle: (name: string) => `New secret of ${name}`,
    once: 'This is the only time the secret is shown. Copy it now.',
    label: 'Secret',
    copy: 'Copy secret',
    environment: '.env',
    card: 'Card',
    setUp: 'Set up a client',
    import: 'Import',
    test: 'Test',
    cardLead: 'Everything a client asks for, to keep in a password manager or to hand over.',
    cardFields: {
      name: 'Key',
      group: 'Group',
      openai: 'Base URL (OpenAI)',
      anthropic: 'Base URL (Anthropic)',
      secret: 'Secret',
      models: 'Models',
    },
    copyCard: 'Copy card',
    environmentLead: 'Keep this file out of your repository.',
    saved: 'I saved the secret',
    done: 'Done',
    leaveTitle: 'Close without the secret?',
    leaveText: 'It was neither copied nor marked as saved. It can’t be shown again; you would have to rotate the key.',
    leave: 'Close anyway',
    stay: 'Back',
    lost: 'The key is there, but the answer with its secret got lost on the way, and it is said only once. Rotate the key to get a new secret.',
  },
  rotation: {
    title: (name: string) => `Rotate ${name}`,
    lead: 'You get a new secret, shown once. Name, limits and history stay.',
    overlap: 'The old secret works',
    overlaps: {
      none: 'not any more',
      hour: 'for 1 hour',
      day: 'for 24 hours',
      week: 'for 7 days',
    },
    overlapDetails: {
      none: 'If it leaked. Running streams are cut.',
      hour: 'Time to change one client.',
      day: 'Time to change a few machines.',
      week: 'For places you get to once a week.',
    },
    running: (end: string, until: string) => `An earlier secret (…${end}) works until ${until}. Rotating now ends it.`,
    submit: 'Rotate secret',
    overlapSaid: (until: string) => `The old secret works until ${until}. The list shows when it was last used.`,
    stopped: 'The old secret has stopped working.',
  },
  confirm: {
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText:
      'Its secret stops working at once, and running streams are cut. Its usage stays in your records. This can’t be undone.',
    deleteUnused: 'It was never used.',
    deleteUsed: (when: string) => `It was last used ${when}.`,
    deleteAction: 'Delete key',
    disableTitle: (name: string) => `Disable ${name}?`,
    disableText: 'Its secret stops working at once, and running streams are cut. You can enable it again.',
    disableAction: 'Disable key',
    deleted: (name: string) => `${name} was deleted`,
    disabled: (name: string) => `${name} was disabled`,
    enabled: (name: string) => `${name} was enabled`,
    bulkDeleteTitle: (count: number) => plural(count, { one: `Delete ${count} key?`, other: `Delete ${count} keys?` }),
    bulkDisableTitle: (count: number) =>
      plural(count, { one: `Disable ${count} key?`, other: `Disable ${count} keys?` }),
    bulkDeleteText:
      'Their secrets stop working at once, and running streams are cut. Their usage stays in your records. This can’t be undone.',
    bulkDisableText: 'Their secrets stop working at once, and running streams are cut. You can enable them again.',
    bulkDeleteAction: (count: number) => plural(count, { one: 'Delete key', other: `Delete ${count} keys` }),
    bulkDisableAction: (count: number) => plural(count, { one: 'Disable key', other: `Disable ${count} keys` }),
    andMore: (count: number) => `and ${count} more`,
    bulkDone: (count: number) => plural(count, { one: `${count} key changed`, other: `${count} keys changed` }),
    bulkFailed: (count: number) =>
      plural(count, { one: `${count} key could not be changed`, other: `${count} keys could not be changed` }),
  },
  testing: {
    title: (name: string) => `Test ${name}`,
    lead: 'Asks the gateway whether this key may call its models right now. Costs nothing, and needs no secret.',
    running: 'Asking the gateway…',
    good: (count: number) =>
      plural(count, {
        one: 'This key works. It can call 1 model.',
        other: `This key works. It can call ${count} models.`,
      }),
    bad: 'A request with this key would be refused now.',
    models: 'Models it can call now',
    again: 'Test again',
  },
  setUp: {
    drawerTitle: (name: string) => `Use ${name}`,
    protocol: 'Protocol',
    model: 'Model',
    moreModels: 'Models for other jobs',
    otherModels: {
      model: 'Model',
      haiku_model: 'Small and fast',
      sonnet_model: 'Everyday',
      opus_model: 'Largest',
    },
    system: 'System',
    where: 'Where',
    goodToKnow: 'Good to know',
    keepIt:
      'Keep the secret in a password manager or in your system’s secret store. Never put it into a repository, a chat or a screenshot. If it got out, rotate the key: that takes a minute.',
    secretEntry: 'Paste the secret to fill it in',
    secretEntryHint: (start: string, end: string) =>
      `The one that begins with ${start} and ends in ${end}. It stays in this window and is sent nowhere.`,
    fits: {
      empty: '',
      fits: 'That is it: everything below is filled in.',
      fits_old: 'That is the old secret, which stops working soon. Paste the new one.',
      blank_inside: 'There is a blank or a line break in it. Copy it again, as one line.',
      shortened: 'That is the short form from the list. It takes the whole secret.',
      incomplete: 'That is not all of it. Copy it again from the first to the last character.',
      other_key: 'That is the secret of another key: beginning or end differ.',
    },
    secretLost: 'Lost it? Rotate the key to get a new one.',
  },
  importing: {
    drawerTitle: (name: string) => `Import ${name} into an app`,
    app: 'App',
    forWhat: 'For',
    open: (app: string) => `Open ${app}`,
    openPage: 'Open the page',
    copyLink: 'Copy link',
    needsSecret: 'The link takes the secret: paste it above first.',
    fallback:
      'Nothing happened? Then the app is not installed, or its link is not registered. Copy the link and paste it into the app’s import window or into the address bar.',
    holdsSecret: 'The link has the secret in it. Treat it like the secret: don’t send it to anybody, don’t save it.',
    showCode: 'Show QR code',
    hideCode: 'Hide QR code',
    code: (app: string) => `QR code for ${app}`,
    noTargets: 'This installation offers no import links.',
  },
}

export type KeysTexts = typeof keysEn

function summarySentence(facts: KeySummaryFacts): string {
  const name = facts.name === '' ? 'This key' : `“${facts.name}”`
  const sentences = [
    `${name} may call ${modelsOf(facts)}.`,
    `It is valid ${facts.until === null ? 'until you delete it' : `until ${facts.until}`} and may spend ${
      facts.quota === null
        ? 'as much as the balance holds'
        : `up to ${facts.quota.amount} ${periods[facts.quota.reset]}`
    }.`,
  ]
  const limits = [
    ...(facts.concurrency === null ? [] : [`${facts.concurrency} at once`]),
    ...(facts.requestsPerMinute === null ? [] : [`${facts.requestsPerMinute} requests a minute`]),
    ...(facts.tokensPerMinute === null ? [] : [`${facts.tokensPerMinute} tokens a minute`]),
    ...facts.spend.map(({ amount, window }) => `${amount} per ${windows[window]}`),
  ]
  if (limits.length > 0) sentences.push(`Limited to ${listed(limits)}.`)
  if (facts.addresses > 0) {
    sentences.push(
      `Usable from ${plural(facts.addresses, { one: 'one address', other: `${facts.addresses} addresses` })} only.`,
    )
  }
  if (facts.isCustom) sentences.push('Its secret is the one you write.')
  return sentences.join(' ')
}

function modelsOf({ group, multiplier, models, fallbackGroups }: KeySummaryFacts): string {
  if (group === '') return 'the models of a group that you have yet to choose'
  const price = multiplier === null || multiplier === '1' ? '' : ` at ${multiplier} times the price`
  const others = fallbackGroups.length === 0 ? '' : `, with ${listed(fallbackGroups)} to fall back on`
  if (models.kind === 'chosen') return `${chosen(models.names)} in ${group}${price}${others}`
  const count =
    models.count === null ? 'every model' : models.count === 1 ? 'the one model' : `all ${models.count} models`
  return `${count} of ${group}${price}${others}`
}

function chosen(names: readonly string[]): string {
  return names.length <= 2 ? listed(names) : `${names.length} chosen models`
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
}
