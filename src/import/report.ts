import { formatMultiplier, formatUsd, type NanoUsd, nanoUsd, ONE_PPM } from '../core/money.ts'
import { shownText } from '../core/shown-text.ts'
import { decisionsOf } from './decisions.ts'
import type { ImportPlan, NamedVariable, Note, PlannedGroup, Product, ImportSettings } from './import-plan.ts'
import { NO_PRICE } from './planned-models.ts'
import { words } from './source.ts'

/** The sums of a plan: what of a dry run must be the same in the run that follows it. */
export interface ImportSums {
  readonly accounts: number
  readonly keys: number
  readonly balances: NanoUsd
  readonly owed: NanoUsd
  readonly quotas: NanoUsd
  readonly quotasUsed: NanoUsd
}

export function sumsOf({ accounts, keys }: ImportPlan): ImportSums {
  const sum = (amounts: readonly bigint[]) => nanoUsd(amounts.reduce((all, each) => all + each, 0n))
  return {
    accounts: accounts.length,
    keys: keys.length,
    balances: sum(accounts.map(({ balance }) => balance)),
    owed: sum(accounts.map(({ balance }) => (balance < 0n ? balance : 0n))),
    quotas: sum(keys.map(({ quotaLimit }) => quotaLimit ?? 0n)),
    quotasUsed: sum(keys.map(({ quotaUsed }) => quotaUsed)),
  }
}

/**
 * What is imported, in which sums, and what is not: rows by their ids, and no secret. Money and rights stand first, addresses of
 * upstreams last.
 */
export function planReport(plan: ImportPlan, settings: Pick<ImportSettings, 'accepted' | 'negative'>): string {
  const sums = sumsOf(plan)
  const priced = plan.models.filter(({ prices }) => prices !== null).length
  const lines = [
    `From ${plan.product}${generation(plan)}:`,
    `  accounts       ${sums.accounts}, balances ${nano(sums.balances)}${sums.owed < 0n ? `, of which owed ${nano(sums.owed)}` : ''}`,
    ...adminsReport(plan),
    `  keys           ${sums.keys}, quotas ${nano(sums.quotas)}, used of them ${nano(sums.quotasUsed)}`,
    `  groups         ${plan.groups.map(groupNamed).join(', ')}`,
    `  models         ${plan.models.length}, ${priced} with a price`,
    `  plans          ${plan.plans.length}`,
    `  subscriptions  ${plan.subscriptions.length}`,
    `  redeem codes   ${plan.codes.length}${plan.codes.length === 0 ? '' : ', with --switched, once the old gateway is stopped'}`,
    `  upstreams      ${plan.upstreams.length}, with ${plan.upstreams.reduce((all, { credentials }) => all + credentials.length, 0)} credentials`,
  ]
  const decisions = decisionsOf(plan, settings).map(
    ({ flag, means, subjects }) => `  ${flag}: ${means} (${shownIds(subjects)})`,
  )
  return reportOf([
    ...lines,
    ...variablesReport(plan.variables ?? []),
    ...(decisions.length === 0 ? [] : ['Not exact:', ...decisions]),
    ...(plan.notes.length === 0 ? [] : ['Not carried, or not as it was:', ...notesReport(inOrder(plan))]),
    ...upstreamsReport(plan),
  ])
}

/** Lines for a terminal. Names of the source are in them, so that each is shown as one line that has no sequences. */
export function reportOf(lines: readonly string[]): string {
  return lines.map((line) => `${shownText(line)}\n`).join('')
}

function groupNamed({ name, multiplier, isOpen }: PlannedGroup): string {
  return `${name}${multiplier === ONE_PPM ? '' : ` ×${formatMultiplier(multiplier)}`}${isOpen ? '' : ' (closed)'}`
}

function upstreamsReport({ upstreams }: ImportPlan): readonly string[] {
  const lines = upstreams.map(
    ({ name, protocol, dialect, baseUrl, baseUrlFrom: from }) =>
      `  ${name}: ${protocol}${dialect === undefined ? '' : ` (${dialect})`}, ${from === undefined ? baseUrl : `the address in ${from}`}`,
  )
  return lines.length === 0 ? [] : ['Upstreams:', ...lines]
}

/** Who may do everything here after the import. */
function adminsReport({ accounts }: ImportPlan): readonly string[] {
  const admins = accounts.filter(({ role }) => role === 'admin').map(({ email }) => email)
  return admins.length === 0
    ? []
    : [`  admins         ${shownIds(admins)}: admins here as well; with --admins none they are plain users`]
}

/** Says which environment variable goes where, or why it does not. */
function variablesReport(variables: readonly NamedVariable[]): readonly string[] {
  const said = variables.map(({ name, to, state }) => `  ${name}, for ${to}: ${sentenceOf(name, state)}`)
  return said.length === 0 ? [] : ['Environment variables that the configuration names:', ...said]
}

function sentenceOf(name: string, state: NamedVariable['state']): string {
  switch (state) {
    case 'taken':
      return 'taken'
    case 'configured':
      return 'as the configuration sets it (environment_variables)'
    case 'not_allowed':
      return `not taken; allow it with --variables ${name}`
    case 'never':
      return 'never taken, since it is this gateway’s own or the machine’s'
    case 'unset':
      return 'not set'
  }
}

function generation({ generation: has }: ImportPlan): string {
  if (has === undefined) return ''
  return has.length === 0 ? ', with an early schema' : `, with a schema that has ${has.join(', ')}`
}

export function notesReport(notes: readonly Note[]): readonly string[] {
  return notes.map(({ table, ids, what }) => `  ${table}${ids.length === 0 ? '' : ` ${shownIds(ids)}`}: ${what}`)
}

const IDS_SHOWN = 200
const COUNTED_AT_SIGHT = 9

function shownIds(ids: readonly string[]): string {
  const more = ids.length - IDS_SHOWN
  const shown = ids.slice(0, IDS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return ids.length > COUNTED_AT_SIGHT ? `${shown} (${ids.length} in all)` : shown
}

/** Writes the exact number, which is what is compared. */
function nano(amount: NanoUsd): string {
  return `$${formatUsd(amount)} (${amount} nano-USD)`
}

/** Tables of the sources, by what an admin has to look at first. Those of none of these come behind them. */
const MONEY = words(
  'models model_list options groups channel_model_pricing user_group_rate_multipliers subscription_plans',
  'user_subscriptions redemptions redeem_codes litellm_budgettable',
)
const RIGHTS = words(
  'users tokens api_keys abilities user_allowed_groups user_platform_quotas auth_identities two_fas',
  'passkey_credentials litellm_usertable litellm_teamtable litellm_verificationtoken',
)

/** Models that are not sold stand first, then what else is said of money, then of rights, and last what was not read at all. */
export function inOrder({ notes, product }: Pick<ImportPlan, 'notes' | 'product'>): readonly Note[] {
  return notes.toSorted((a, b) => placeOf(a, product) - placeOf(b, product))
}

function placeOf({ table, ids, what }: Note, product: Product): number {
  if (what === NO_PRICE) return 0
  if (table === 'models') return 1
  if (table === 'settings') return 6
  if (ids.length === 0 && what.endsWith('not carried')) return 5
  // Of the others these are what upstreams are here.
  const isMoney = MONEY.includes(table) || (product === 'sub2api' && table === 'channels')
  return isMoney ? 2 : RIGHTS.includes(table) ? 3 : 4
}
