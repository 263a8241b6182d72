import { callNamesEn } from './kind-names-en.ts'
import { obstacleEn, OBSTACLES_EN } from './unreachable.ts'
import { plural } from './plural.ts'

const CLOCKS = { database: 'the database’s', providers: 'those of providers', oidc: 'the sign-in service’s' }
const DISKS = { data: 'the data directory', backups: 'the backups', archive: 'the archive of records' }

export interface ClockOff {
  /** A duration. */
  readonly by: string
  readonly isAhead: boolean
  readonly of: 'database' | 'providers' | 'oidc'
}

export interface PriceDiffers {
  readonly kind: 'input' | 'output'
  /** Our price per million tokens. */
  readonly ours: string
  readonly listed: string
  readonly provider: string
  /** A date. */
  readonly dated: string
}

/** What is failing since when, and how far it reaches. */
export interface Failing {
  /** A time of day. */
  readonly since: string
  /** Why, in a word or two; null: not known. */
  readonly why: string | null
  readonly isReachable: boolean
  readonly models: number
  readonly refused: number
  readonly shownRefused: string
}

const failure = ({ why, refused, shownRefused }: Failing): readonly [why: string, refused: string] => [
  why === null ? '' : ` (${why})`,
  plural(refused, { one: '1 request refused', other: `${shownRefused} requests refused` }),
]

/** Names of groups, as a list has them. */
const inGroups = (names: string): string => `the ${names.includes(', ') ? 'groups' : 'group'} ${names}`

export const texts = {
  title: 'Operations',
  lead: 'Issues that need attention, and the last seven days.',
  needs: 'Needs attention',
  nothing: 'Nothing needs attention',
  wrongAddress: {
    title: 'Base URLs and links show the wrong address',
    text: (shown: string, here: string) => `They show ${shown}, but you opened the console at ${here}.`,
    fix: (here: string) =>
      `Set TOLLGATE_PUBLIC_URL=${here} and restart. Or add the reverse proxy to TOLLGATE_TRUSTED_PROXIES and have it send X-Forwarded-Proto, X-Forwarded-Host and, under a path, X-Forwarded-Prefix.`,
  },
  looked: (time: string) => `Last checked ${time}.`,
  hits: (count: number, perMinute: string) => (count === 10 ? '1 request/min' : `${perMinute} requests/min`),
  since: (ago: string) => `started ${ago}`,
  tried: (count: string, address: string) => `${count} of them came from ${address}.`,
  triedAccounts: (count: number, shown: string) =>
    plural(count, {
      one: 'They know the email address of 1 account.',
      other: `They know the email addresses of ${shown} accounts.`,
    }),
  items: {
    credential_held: (name: string, upstream: string) => `${upstream}: the provider rejected the key “${name}”`,
    renewal_failing: (name: string, upstream: string, heldAt: string) =>
      `${upstream}: the key “${name}” can’t be renewed, and will be held at ${heldAt}`,
    spend_cap: (what: string, { used, limit }: { used: string; limit: string }) =>
      `${what} has spent ${used} of its ${limit} cap today`,
    upstream_failing: (upstream: string, of: Failing) => {
      const [why, refused] = failure(of)
      const models = plural(of.models, { one: '1 model', other: `${of.models} models` })
      return `${upstream} ${of.isReachable ? 'has been failing' : 'has been unreachable'} since ${of.since}${why}: ${models}, ${refused}`
    },
    model_failing: (model: string, upstream: string, of: Failing) => {
      const [why, refused] = failure(of)
      return `${model} has been failing${upstream === '' ? '' : ` at ${upstream}`} since ${of.since}${why}: ${refused}`
    },
    no_target: (model: string, group: string) => `No upstream serves ${model} in ${inGroups(group)}`,
    no_margin: (model: string, group: string) =>
      `${model} can’t be called in ${inGroups(group)}: no target leaves its minimum margin`,
    no_credential: (model: string, group: string) =>
      `${model} can’t be called in ${inGroups(group)}: its credentials are disabled or expired`,
    below_cost: (model: string, group: string, upstream: string) =>
      `${model} is sold below cost in the group ${group} (${upstream})`,
    unreached: (model: string, group: string, upstream: string) =>
      `${upstream} never gets requests for ${model} in the group ${group}`,
    never_reached: (model: string, upstream: string) => `${upstream} never gets requests for ${model}`,
    no_weight: (model: string) => `The preferred targets of ${model} all have weight 0`,
    unpriced: (model: string) => `${model} can’t be called: it has no price`,
    calls_unpriced: (model: string, tools: string) => `${model} has no price for tools that clients use: ${tools}`,
    model_unknown: (model: string) => `Clients ask for ${model}, which doesn’t exist`,
    backup_old: 'The newest backup is too old',
    no_backup: 'No backup found',
    disk_full: (of: 'data' | 'backups' | 'archive', share: string) => `The disk of ${DISKS[of]} is ${share} full`,
    store_failing: {
      disk_full: 'All requests are refused: the database’s disk is full',
      read_only: 'All requests are refused: the database is read-only',
      files_moved: 'All requests are refused: the database’s files were moved or deleted',
      unreachable: 'All requests are refused: the database doesn’t respond',
      behind: 'All requests are refused: the database is too slow',
      failing: 'All requests are refused: the database doesn’t accept writes',
    },
    clock_off: (host: string, { by, isAhead, of }: ClockOff) =>
      `${host}’s clock is ${by} ${isAhead ? 'ahead of' : 'behind'} ${CLOCKS[of]}`,
    payment_held: (email: string) => `A payment from ${email} arrived but isn’t credited`,
    refund_held: (email: string) => `${email} was refunded more than was left of an order`,
    no_balance: (email: string) => `${email} is out of credit and still sending`,
    node_behind: (node: string, count: string) => `The node ${node} is ${count} changes behind`,
    redis_down: 'Redis doesn’t respond',
    alerts_failing: (way: 'webhook' | 'mail') =>
      `Alerts by ${way === 'mail' ? 'email' : 'webhook'} aren’t being delivered`,
    price_differs: (model: string, { kind, ours, listed, provider, dated }: PriceDiffers) =>
      `${model}: your ${kind} price is ${ours}, ${provider} lists ${listed} (${dated})`,
    sign_ins_failing: (count: string) => `${count} sign-ins failed in the last hour`,
    models_added: (upstream: string, count: number, names: string) =>
      `${upstream} lists ${plural(count, { one: 'a new model', other: `${count} new models` })}: ${names}`,
    models_gone: (upstream: string, count: number, names: string) =>
      `${upstream} no longer lists ${plural(count, { one: 'a model', other: `${count} models` })} served from it: ${names}`,
  },
  /** Many of one kind, as one line that unfolds. */
  many: {
    no_target: (count: number, group: string) => `No upstream serves ${count} models in ${inGroups(group)}`,
    no_margin: (count: number, group: string) =>
      `${count} models can’t be called in ${inGroups(group)}: no target leaves their minimum margin`,
    no_credential: (count: number, _group: string, upstream: string) =>
      `${count} models can’t be called: the credentials of ${upstream} are disabled or expired`,
    unpriced: (count: number) => `${count} models can’t be called: they have no price`,
    below_cost: (count: number) => `${count} models are sold below cost`,
    price_differs: (count: number) => `${count} prices are far from what providers list`,
    no_weight: (count: number) => `The preferred targets of ${count} models all have weight 0`,
    unreached: (count: number) => `${count} targets never get requests`,
    model_unknown: (count: number) => `Clients ask for ${count} models that don’t exist`,
    no_balance: (count: number) => `${count} accounts are out of credit and still sending`,
  },
  showMany: (count: number) => `Show all ${count}`,
  why: OBSTACLES_EN,
  names: (names: string) => `Models: ${names}.`,
  test: {
    action: 'Test',
    works: (upstream: string, time: string) =>
      `${upstream} works again: it responded in ${time}. This goes away ten minutes after the last failure.`,
    fails: (upstream: string, why: string) => `${upstream} still fails: ${why}`,
  },
  because: {
    credential: 'Replace it, or test it again once the provider accepts it.',
    no_credit: 'The provider reports that your account there is out of credit. Add credit there, then test it.',
  },
  providerSaid: (words: string) => `The provider said: “${words}”`,
  nearest: (model: string) => `Did they mean ${model}?`,
  disk: {
    left: (size: string) => `${size} left.`,
    fullIn: (days: number, shown: string) =>
      plural(days, {
        one: 'At the current growth it will be full in 1 day.',
        other: `At the current growth it will be full in ${shown} days.`,
      }),
  },
  calls: callNamesEn,
  obstacle: obstacleEn,
  advice: {
    credential_held:
      'The gateway retries it at increasing intervals. A successful test puts it back into use immediately.',
    renewal_failing:
      'Requests go out with its last token until then. The gateway retries, and this goes away once a renewal succeeds.',
    spend_cap: 'At the cap, it’s paused until midnight UTC.',
    model_failing: 'This goes away once requests are answered and ten minutes have passed since the last failure.',
    no_target: 'Add an upstream to its routing, or remove the model from the group.',
    no_margin: 'Raise the price or the multiplier, or lower the minimum margin.',
    no_credential: 'Enable a credential at its upstream, or replace the one that expired.',
    below_cost: 'Raise the price or the multiplier, or set a minimum margin.',
    unreached: 'Change its priority or its groups, or remove it.',
    no_weight: 'Set the weight of at least one of them above 0.',
    unpriced: 'Set its price.',
    calls_unpriced:
      'Such requests are refused, or their calls aren’t charged. Add a fee for each call to its price, or 0 if the provider charges none.',
    payment_held: 'Credit the account by hand, or refund the payment at the provider.',
    refund_held: 'Nothing was deducted from the balance. If the account owes it, adjust the balance by hand.',
    model_unknown: 'Add the model, or tell its users the right name.',
    backup_old: 'Check the job that writes the TOLLGATE_BACKUP_FILES: its schedule, its log and its disk.',
    disk_full: 'Free up space or add more. When it’s full, nothing more can be written to it.',
    store_failing:
      'Requests are served again on their own once it works. The gateway’s log has the database’s own message.',
    clock_off: 'Turn on network time (NTP) on this host and on the database server.',
    no_balance: 'Add credit to the account, or disable it.',
    node_behind: 'Look at its load and its connection to the database, or restart it.',
    redis_down:
      'Until it does, each node enforces its share of the limits on requests, tokens and concurrency. Check the server in REDIS_URL.',
    alerts_failing: 'Send a test alert to see the error.',
    price_differs:
      'Amounts are per million tokens. Correct the price, set what its upstreams charge, or lock it if that’s intended.',
    sign_ins_failing:
      'Someone may be guessing passwords. Block the address in front of the gateway if you don’t know it.',
    models_added: 'Add what you want to serve, and ignore the rest.',
    models_gone: 'The provider may have withdrawn them. Test them, or remove their targets.',
  },
  open: {
    model: 'Open the model',
    upstream: 'Open the upstream',
    compare: 'Compare models',
    account: 'Open the account',
    models: 'Open models',
    orders: 'View orders',
    system: 'Open System',
    backup: 'Back up now',
    addModel: 'Add the model',
    alerts: 'Test alerts',
    audit: 'Open the audit log',
  },
  snooze: {
    action: 'Snooze',
    title: 'Snooze this issue',
    hours: 'For',
    hoursHint: 'Hidden for all staff. It returns when the time is up, unless it’s resolved.',
    spans: { '1': '1 hour', '8': '8 hours', '24': '1 day', '168': '1 week', '720': '30 days' },
    reason: 'Reason',
    reasonHint: 'Kept in the audit log.',
    list: 'Snoozed',
    until: (time: string) => `until ${time}`,
    wake: 'Show again',
  },
  health: {
    title: 'Upstreams, last 24 hours',
    lead: 'Each bar is an hour. Client errors excluded.',
    none: 'No requests in the last 24 hours.',
    before: 'Never reached an upstream',
    failed: (failed: string, requests: string) => `${failed} of ${requests} failed`,
    strip: (upstream: string, failed: string, requests: string) =>
      `${upstream}: ${failed} of ${requests} requests failed`,
    hour: (time: string, failed: string, requests: string) => `${time}: ${failed} of ${requests} failed`,
  },
  setup: {
    title: 'Set up',
    lead: 'Five steps to your first real request.',
    done: 'Done',
    open: 'To do',
    steps: {
      provider: 'Connect a provider',
      model: 'Set a price for one of its models',
      group: 'Add the model to a group',
      answered: 'Get the first response',
      people: 'Invite people',
    },
    /** The buttons: what their step says, shorter. */
    go: {
      provider: 'Connect',
      model: 'Set a price',
      group: 'Add the model',
      answered: 'Send a test message',
      people: 'Invite',
    },
  },
  margins: {
    action: 'Download margins (CSV)',
    by: {
      upstream: 'By upstream, last 30 days',
      credential: 'By credential, last 30 days',
      model: 'By model, last 30 days',
      group: 'By group, last 30 days',
      fault: 'By error, last 30 days',
    },
  },
  week: {
    title: 'Last 7 days',
    requests: 'Requests',
    failed: 'Failed',
    charged: 'Charged',
    margin: 'Margin',
    noMargin: 'No provider cost recorded.',
    before: (figure: string) => `${figure} the week before`,
    blame: (client: string, gateway: string, upstream: string) =>
      `clients\u00A0${client} · gateway\u00A0${gateway} · upstreams\u00A0${upstream}`,
  },
}
