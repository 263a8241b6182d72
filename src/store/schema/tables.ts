import type {
  AccountHourRow,
  AllHoursRow,
  CredentialDayRow,
  UpstreamHourRow,
  UsageDayRow,
  UsageHourRow,
} from './roll-up-tables.ts'
import type { ColumnType } from 'kysely'
import type { Account, AccountProfile } from '../../access/account.ts'
import type { ChangeSubject } from '../../access/changes.ts'
import type { Subscription } from '../../access/subscription.ts'
import type { FaultCode } from '../../core/faults.ts'
import type { ModelKind } from '../../core/model-kind.ts'
import type { ModelListResult } from '../../core/model-list-results.ts'
import type { Wire } from '../../core/wire.ts'
import type { Spender } from '../../routing/spender.ts'
import type { BudgetKind } from '../../metering/budgets/budget.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import type { RedeemCode } from '../../metering/funds/redeem-code.ts'
import type { UsageOutcome, UsageSource } from '../../metering/usage/usage-record.ts'
import type { UpstreamProtocol } from '../../core/upstream-protocol.ts'
import type {
  AccessTokenRow,
  AnnouncementRow,
  AuditRow,
  GuessRow,
  IdempotencyRow,
  OrderRefundRow,
  OrderRow,
} from './control-rows.ts'
import type { AlertDeliveryRow, AlertRow } from './alert-tables.ts'
import type { CapturedRequestRow, CaptureRow } from './capture-tables.ts'
import type { ArchiveRow, ArchivedDayRow } from './archive-tables.ts'
import type { ApiKeyRow, KeyActivityRow } from './key-columns.ts'
import type { LimitsColumn } from './limits-json.ts'
import type {
  IdentityRow,
  PasskeyRow,
  SecondFactorRow,
  SessionRow,
  SignInLinkRow,
  VerificationRow,
} from './sign-in-tables.ts'
import type { DeviceRequestRow, DeviceRow, DeviceSecretRow } from './device-tables.ts'
import type { NodeRow } from './node-row.ts'
import type { RowOf } from './row-of.ts'

/**
 * The tables as code reads and writes them. The name of a column says its type: `…_nano` (nano-USD) and `…_ppm` bigint,
 * `is_…` boolean, `…_json` written as text and read parsed, `…_at` and `…_ms` milliseconds.
 */
export interface Tables {
  accounts: AccountRow
  api_keys: ApiKeyRow
  groups: GroupRow
  models: ModelRow
  upstreams: UpstreamRow
  credential_states: CredentialStateRow
  minted_tokens: MintedTokenRow
  day_spends: DaySpendRow
  plans: PlanRow
  budgets: BudgetRow
  leases: LeaseRow
  usage_records: UsageRow
  ledger_entries: LedgerRow
  nodes: NodeRow
  changes: ChangeRow
  change_counter: { id: number; seq: number }
  settings: { name: string; value: string }
  /** Batches on the embedded database alone. `refusal`: why the books will not take one; null: they are about to. */
  settle_journal: { id: number; refusal: string | null }
  subscriptions: SubscriptionRow
  redeem_codes: RedeemCodeRow
  orders: OrderRow
  order_refunds: OrderRefundRow
  alerts: AlertRow
  alert_deliveries: AlertDeliveryRow
  usage_hours: UsageHourRow
  usage_account_hours: AccountHourRow
  usage_all_hours: AllHoursRow
  usage_days: UsageDayRow
  usage_upstream_hours: UpstreamHourRow
  usage_credential_days: CredentialDayRow
  key_activity: KeyActivityRow
  sessions: SessionRow
  identities: IdentityRow
  verifications: VerificationRow
  second_factors: SecondFactorRow
  passkeys: PasskeyRow
  sign_in_links: SignInLinkRow
  access_tokens: AccessTokenRow
  devices: DeviceRow
  device_requests: DeviceRequestRow
  device_secrets: DeviceSecretRow
  audit_entries: AuditRow
  announcements: AnnouncementRow
  dismissed_announcements: { account_id: string; announcement_id: string }
  idempotency_keys: IdempotencyRow
  retired_secrets: { secret_hash: string }
  guesses: GuessRow
  stored_responses: StoredResponseRow
  open_requests: { id: string; node_id: string; created_at: number; request_json: JsonColumn }
  captures: CaptureRow
  captured_requests: CapturedRequestRow
  imported: ImportedRow
  listed_models: ListedModelsRow
  retired_days: ArchivedDayRow
  archives: ArchiveRow
  migrations: { name: string; applied_at: number }
}

/** Text that holds JSON. */
type JsonColumn = ColumnType<unknown, string, string>

export interface AccountRow {
  id: string
  email: string
  /** What makes it unique: the address in lower case. */
  email_lower: string
  role: Account['role']
  status: Account['status']
  password_hash: string | null
  created_at: number
  is_managed: boolean
  name: ColumnType<string, string | undefined, string>
  language: AccountProfile['language']
  theme: ColumnType<AccountProfile['theme'], AccountProfile['theme'] | undefined, AccountProfile['theme']>
  is_email_verified: ColumnType<boolean, boolean | undefined, boolean>
  is_second_factor_on: ColumnType<boolean, boolean | undefined, boolean>
  is_mail_wanted: ColumnType<boolean, boolean | undefined, boolean>
  limits_json: LimitsColumn
  raise_json: LimitsColumn
  /** Ids of groups. */
  open_groups_json: ColumnType<unknown, string | undefined, string>
  own_multipliers_json: ColumnType<unknown, string | undefined, string>
  favourite_models_json: ColumnType<unknown, string | undefined, string>
}

/** What an upstream lists, as it was looked at last. */
export interface ListedModelsRow {
  upstream_id: string
  checked_at: number
  /** null: the look goes on. */
  result: ModelListResult | null
  /** null with `known_json`: it has given no list yet. */
  base_url: string | null
  known_json: ColumnType<unknown, string | null, string>
  added_json: JsonColumn
  gone_json: JsonColumn
}

/** What became of a row of another gateway's database. */
export interface ImportedRow {
  source: string
  kind: string
  source_id: string
  object_id: string
  /** What was taken over of it, as far as a later run has to know. */
  state_json: JsonColumn
}

export interface GroupRow {
  id: string
  name: string
  multiplier_ppm: bigint
  models_json: JsonColumn
  is_enabled: boolean
  is_open: boolean
  open_roles_json: JsonColumn
  is_managed: boolean
  cache_json: JsonColumn
  claude_settings_json: ColumnType<unknown, string | null, string | null>
  devices_json: ColumnType<unknown, string | null, string | null>
}

export interface ModelRow extends PriceColumns, OtherPriceColumns {
  id: string
  name: string
  context_tokens: number | null
  max_output_tokens: number | null
  kind: ModelKind | null
  is_recommended: boolean
  is_price_locked: boolean
  targets_json: JsonColumn
  serving_json: JsonColumn
  scheduled_json: JsonColumn | null
  created_at: number
  is_managed: boolean
}

/** All null where no price is set. */
export interface PriceColumns {
  price_input_nano: bigint | null
  price_output_nano: bigint | null
  price_cache_read_nano: bigint | null
  price_cache_write_nano: bigint | null
  price_cache_write_1h_nano: bigint | null
}

/** Prices of kinds that few models price apart; usage records have them in `other_tokens_json`. */
export interface OtherPriceColumns {
  price_audio_input_nano: bigint | null
  price_audio_output_nano: bigint | null
  price_image_input_nano: bigint | null
  /** The price of a million requests, as prices of tokens are. */
  price_request_nano: bigint | null
  price_image_nano: bigint | null
  price_second_nano: bigint | null
  price_character_nano: bigint | null
  /** Tiers, factors, and fees for calls. */
  price_rules_json: ColumnType<unknown, string | null, string | null>
}

export interface CredentialStateRow {
  upstream_id: string
  name: string
  is_disabled: boolean
  hold_json: ColumnType<unknown, string | null, string | null>
}

export interface MintedTokenRow {
  upstream_id: string
  name: string
  mark: string
  sealed_token: string | null
  ends_at: number | null
  lease_holder: string | null
  lease_until_at: number | null
}

export interface DaySpendRow {
  kind: Spender['kind']
  upstream_id: string
  name: string
  /** The number of the day since 1970, in UTC. */
  day: number
  spent_nano: bigint
}

export interface UpstreamRow {
  id: string
  name: string
  protocol: UpstreamProtocol
  base_url: string
  credentials_json: JsonColumn
  connect_timeout_ms: number | null
  first_byte_timeout_ms: number | null
  timeout_ms: number | null
  max_concurrency: number | null
  spend_per_day_nano: bigint | null
  /** The names of rules that are not enforced. */
  shadow_json: JsonColumn
  headers_json: JsonColumn
  /** See `RequestOverrides`; `{}`: none. */
  passage_json: JsonColumn
  is_managed: boolean
}

export interface PlanRow {
  id: string
  name: string
  group_ids_json: JsonColumn
  is_opening_groups: boolean
  days: number
  price_nano: bigint
  quotas_json: JsonColumn
  limits_json: LimitsColumn
  is_managed: boolean
}

/** A budget. Of a balance, `limit` is the sum of all entries other than usage, and `used` of the usage. */
export interface BudgetRow {
  id: string
  kind: BudgetKind
  subject_id: string
  limit_nano: bigint
  used_nano: bigint
  /** The sum over its leases of max(0, granted − charged). */
  held_nano: bigint
  /** How far used + held may stand above the limit: charges that nothing was held for, limits lowered below what was spent. */
  overrun_nano: bigint
  /** The part of `used_nano` that was used at another gateway, from which the budget came: no record here has it. */
  brought_nano: bigint
  /** The part of `used_nano` that records charged which are in the books no more. */
  retired_nano: bigint
  /** Charges that met no active lease. */
  overruns: number
  /** When a window ends; null until its first charge. */
  ends_at: number | null
  /** How long a window lasts; null: the budget has none. */
  window_ms: number | null
  /** Entries in the ledger of this balance; 0 for other kinds. */
  entries: number
}

/** Only active leases have a row. */
export interface LeaseRow {
  id: string
  budget_id: string
  node_id: string
  granted_nano: bigint
  charged_nano: bigint
}

export interface UsageRow extends PriceColumns {
  id: string
  created_at: number
  account_id: string
  key_id: string
  key_name: string
  group_id: string | null
  group_name: string | null
  model: string | null
  upstream_name: string | null
  upstream_model: string | null
  wire: Wire | null
  is_stream: boolean
  outcome: UsageOutcome
  fault: FaultCode | null
  http_status: number | null
  input_tokens: number | null
  cache_read_tokens: number | null
  cache_write_tokens: number | null
  cache_write_1h_tokens: number | null
  output_tokens: number | null
  reasoning_tokens: number | null
  usage_source: UsageSource
  is_capped: boolean
  /** Separated by blanks; null: nothing is to be said. */
  usage_notes: string | null
  multiplier_ppm: bigint | null
  cost_nano: bigint
  balance_paid_nano: bigint
  /** What subscriptions paid: `[[subscription id, nano-USD as text], …]`; null: nothing. */
  subscriptions_paid_json: ColumnType<unknown, string | null, never>
  /** What was charged to budgets beside the balance: `[[budget id, nano-USD as text], …]`; null: nothing. */
  other_charges_json: ColumnType<unknown, string | null, never>
  /** Kinds of tokens that few requests have, with their counts and prices; null: none. */
  other_tokens_json: ColumnType<unknown, string | null, never>
  attempts_json: ColumnType<unknown, string, never>
  /** See `routing/route-trace.ts`. */
  route_trace: string | null
  /** Null: not known. */
  provider_cost_nano: bigint | null
  credential_name: string | null
  /** See `core/fault-facts.ts`. */
  fault_facts: string | null
  /** See `metering/limits/limits-left.ts`. */
  limits_left: string | null
  device_secret: string | null
  client: string | null
  first_byte_ms: number | null
  total_ms: number
}

export type LedgerRow = RowOf<Omit<LedgerEntry, 'reference'>> & {
  /** 1 for the first entry of an account, and no number is left out. */
  seq: number
  /** Names what must not be written twice for one account. */
  once: string | null
}

export interface ChangeRow {
  seq: number
  subject: ChangeSubject
  subject_id: string
}

type PlainSubscription = Omit<Subscription, 'groupIds' | 'opensGroups' | 'quotas' | 'limits' | 'renewsUpTo'>

export type SubscriptionRow = RowOf<PlainSubscription> & {
  group_ids_json: JsonColumn
  is_opening_groups: boolean
  quotas_json: JsonColumn
  limits_json: LimitsColumn
  renews_up_to_nano: bigint | null
}

/** Grants a balance (`amount_nano`) or a plan (`plan_id`), never both. */
export type RedeemCodeRow = RowOf<Omit<RedeemCode, 'grants'>> & {
  code_hash: string
  amount_nano: bigint | null
  plan_id: string | null
}

/** A response of an account, with the upstream that keeps it. */
interface StoredResponseRow {
  account_id: string
  response_id: string
  upstream_id: string
  created_at: number
}
