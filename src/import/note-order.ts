import type { ImportPlan, Note, Product } from './import-plan.ts'
import { NO_PRICE } from './planned-models.ts'

/** Tables of the sources, by what an admin has to look at first. Those of none of these come behind them. */
const MONEY = [
  'models',
  'model_list',
  'options',
  'groups',
  'channel_model_pricing',
  'user_group_rate_multipliers',
  'subscription_plans',
  'user_subscriptions',
  'redemptions',
  'redeem_codes',
  'litellm_budgettable',
]
const RIGHTS = [
  'users',
  'tokens',
  'api_keys',
  'abilities',
  'user_allowed_groups',
  'user_platform_quotas',
  'auth_identities',
  'two_fas',
  'passkey_credentials',
  'litellm_usertable',
  'litellm_teamtable',
  'litellm_verificationtoken',
]

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
