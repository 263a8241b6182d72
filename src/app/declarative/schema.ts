import { z } from 'zod'
import { isBroughtKeyHash } from '../../access/brought-key.ts'
import { readWrittenSettings, type WrittenSettings } from '../../control/settings/instance-settings.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { forEachCount } from '../../core/counted-limits.ts'
import { MODEL_KINDS } from '../../core/model-kind.ts'
import { openToRoles } from '../../access/group.ts'
import { ROLES } from '../../core/roles.ts'
import { UPSTREAM_PROTOCOL_NAMES } from '../../core/upstream-protocol.ts'
import { shadowOf, TARGET_SHADOWS, UPSTREAM_SHADOWS } from '../../core/shadow-rules.ts'
import { WIRE_NAMES } from '../../core/wire.ts'
import { ONE_PPM } from '../../core/money.ts'
import { standingOf } from '../../routing/model-kind.ts'
import { servingOf } from '../../routing/serving.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { objectionToBaseUrl, objectionToChangedHeaders } from '../../routing/upstream-settings.ts'
import {
  emailAddress,
  field,
  lengthWithin,
  listOf,
  listOfWords,
  modelName,
  moment,
  multiplier,
  oncePerWindow,
  oneOf,
  SECTION,
  text,
  usd,
  wholeNumber,
  yesOrNo,
} from './fields.ts'
import { keyFields, writtenKey } from './key-fields.ts'
import { cacheFields, responseCache } from './cache-fields.ts'
import { FACTS } from '../../models/facts.ts'
import { modelRules } from './model-rules.ts'
import { accountLimitFields, accountLimits, limitsWritten } from './limit-fields.ts'
import { cost, margin, PRICE_FIELD_NAMES, price } from './price-fields.ts'
import {
  baseUrl,
  credential,
  credentialFields,
  credentials,
  dropFields,
  headerName,
  headers,
  proxyUrl,
  requireShadowed,
  shadow,
} from './upstream-fields.ts'

/** What the declarative file says, checked by itself; names are not yet looked up. */
export type Declaration = z.output<typeof declarationSchema>
export type DeclaredAccount = Declaration['accounts'][number]
export type DeclaredKey = Declaration['keys'][number]

const nameOfUpstream = text(BOUNDS.upstream.name)
const nameOfGroup = text(BOUNDS.group.name)
const nameOfPlan = text(BOUNDS.plan.name)

const upstreamFields = {
  name: nameOfUpstream,
  protocol: oneOf(...UPSTREAM_PROTOCOL_NAMES),
  base_url: baseUrl().nullish(),
  credential: credential().nullish(),
  credentials: credentials().nullish(),
  timeout_ms: wholeNumber(BOUNDS.upstream.timeout_ms).nullish(),
  connect_timeout_ms: wholeNumber(BOUNDS.upstream.connect_timeout_ms).nullish(),
  first_byte_timeout_ms: wholeNumber(BOUNDS.upstream.first_byte_timeout_ms).nullish(),
  max_concurrency: wholeNumber(BOUNDS.upstream.max_concurrency).nullish(),
  spend_per_day: usd(BOUNDS.upstream.spend_per_day).nullish(),
  shadow: shadow(UPSTREAM_SHADOWS).nullish(),
  headers: headers().nullish(),
  remove_headers: listOf(headerName(), 'header names', BOUNDS.upstream.remove_headers).nullish(),
  rename_headers: z.record(z.string(), headerName(), 'a map of header names and their new names').nullish(),
  drop_fields: dropFields().nullish(),
  prefix_cache: yesOrNo().nullish(),
  proxy_url: proxyUrl().nullish(),
}

const upstream = z
  .strictObject(upstreamFields, 'a map with name, protocol, base_url and credential')
  .superRefine((fields, context) => {
    const message = objectionToBaseUrl(fields.protocol, fields.base_url ?? null)
    if (message !== null) context.addIssue({ code: 'custom', path: ['base_url'], message })
    requireShadowed(fields, context)
    const changed = objectionToChangedHeaders(fields.remove_headers ?? [], lowered(fields.rename_headers ?? {}))
    if (changed !== null) context.addIssue({ code: 'custom', path: [changed.field], message: changed.takes })
    if (fields.credential == null || fields.credentials == null) return
    context.addIssue({ code: 'custom', path: ['credentials'], message: 'must not be set beside the field credential' })
  })
  .transform((fields) => ({
    name: fields.name,
    protocol: fields.protocol,
    baseUrl: fields.base_url ?? '',
    credentials: fields.credentials ?? (fields.credential == null ? [] : [onlyCredential(fields.credential)]),
    timeoutMs: fields.timeout_ms ?? null,
    connectTimeoutMs: fields.connect_timeout_ms ?? null,
    firstByteTimeoutMs: fields.first_byte_timeout_ms ?? null,
    maxConcurrency: fields.max_concurrency ?? null,
    ...(fields.spend_per_day == null ? {} : { spendPerDay: fields.spend_per_day }),
    ...shadowOf(UPSTREAM_SHADOWS, fields.shadow ?? []),
    headers: fields.headers ?? {},
    removedHeaders: fields.remove_headers ?? [],
    renamedHeaders: lowered(fields.rename_headers ?? {}),
    droppedSettings: fields.drop_fields ?? [],
    keepsPrefixes: fields.prefix_cache ?? false,
    proxyUrl: fields.proxy_url ?? null,
  }))

function lowered(renamed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(renamed).map(([from, to]) => [from.toLowerCase(), to]))
}

function onlyCredential(secret: string) {
  const { sealedSecret, sealedProxyUrl: way, ...unlimited } = unlimitedCredential(secret)
  return { ...unlimited, secret: sealedSecret, proxyUrl: way, isDisabled: false }
}

const targetFields = {
  upstream: nameOfUpstream,
  model: text(BOUNDS.target.model).nullish(),
  priority: wholeNumber(BOUNDS.target.priority).nullish(),
  weight: wholeNumber(BOUNDS.target.weight).nullish(),
  groups: listOf(nameOfGroup, 'group names', BOUNDS.target.groups).nullish(),
  cost: cost.nullish(),
  min_margin: margin().nullish(),
  spend_per_day: usd(BOUNDS.target.spend_per_day).nullish(),
  shadow: shadow(TARGET_SHADOWS).nullish(),
  drop_fields: dropFields().nullish(),
  fields_like: text(BOUNDS.target.fields_like).nullish(),
  rules: modelRules().nullish(),
}

const target = z.strictObject(targetFields, 'a map with upstream and model').superRefine((fields, context) => {
  requireShadowed(fields, context)
  if (fields.min_margin == null || fields.cost != null) return
  context.addIssue({
    code: 'custom',
    path: ['min_margin'],
    message: 'must have a cost beside it: without one no margin is known',
  })
})

const modelFields = {
  name: modelName(),
  price: price.nullish(),
  context_tokens: wholeNumber(BOUNDS.model.context_tokens).nullish(),
  max_output_tokens: wholeNumber(BOUNDS.model.max_output_tokens).nullish(),
  kind: oneOf(...MODEL_KINDS).nullish(),
  recommended: yesOrNo().nullish(),
  price_locked: yesOrNo().nullish(),
  endpoints: listOfWords(WIRE_NAMES, 'names of protocols', 1).nullish(),
  first_event_timeout_ms: wholeNumber(BOUNDS.model.first_event_timeout_ms).nullish(),
  idle_timeout_ms: wholeNumber(BOUNDS.model.idle_timeout_ms).nullish(),
  timeout_ms: wholeNumber(BOUNDS.model.timeout_ms).nullish(),
  hedge_after_ms: wholeNumber(BOUNDS.model.hedge_after_ms).nullish(),
  rules: modelRules().nullish(),
  targets: listOf(target, 'targets', BOUNDS.model.targets),
}

const model = z
  .strictObject(modelFields, 'a map with name, price and targets')
  .transform(({ price: prices, ...fields }) => ({
    name: fields.name,
    prices: prices ?? null,
    contextTokens: fields.context_tokens ?? null,
    maxOutputTokens: fields.max_output_tokens ?? null,
    ...standingOf({ kind: fields.kind ?? null, isRecommended: fields.recommended ?? false }),
    /** null: nothing was said about it, and it stays as it is. */
    isPriceLocked: fields.price_locked ?? null,
    ...servingOf({
      endpoints: fields.endpoints ?? null,
      firstEventTimeoutMs: fields.first_event_timeout_ms ?? null,
      idleTimeoutMs: fields.idle_timeout_ms ?? null,
      timeoutMs: fields.timeout_ms ?? null,
      hedgeAfterMs: fields.hedge_after_ms ?? null,
      rules: fields.rules ?? null,
    }),
    targets: fields.targets.map((written) => ({
      upstream: written.upstream,
      model: written.model ?? fields.name,
      priority: written.priority ?? 0,
      weight: written.weight ?? 1,
      groups: written.groups ?? [],
      ...(written.cost == null ? {} : { cost: written.cost }),
      ...(written.min_margin == null ? {} : { minMargin: written.min_margin }),
      ...(written.spend_per_day == null ? {} : { spendPerDay: written.spend_per_day }),
      ...shadowOf(TARGET_SHADOWS, written.shadow ?? []),
      ...(written.drop_fields == null || written.drop_fields.length === 0
        ? {}
        : { droppedSettings: written.drop_fields }),
      ...(written.fields_like == null ? {} : { fieldsLike: written.fields_like }),
      ...(written.rules == null || Object.keys(written.rules).length === 0 ? {} : { rules: written.rules }),
    })),
  }))

const groupFields = {
  name: nameOfGroup,
  multiplier: multiplier(BOUNDS.group.multiplier).nullish(),
  models: listOf(text(BOUNDS.group.model), 'model names, or ["*"] for all', BOUNDS.group.models),
  enabled: yesOrNo().nullish(),
  open: yesOrNo().nullish(),
  open_to_roles: listOfWords(ROLES, 'roles').nullish(),
  cache: responseCache().nullish(),
}

const group = z.strictObject(groupFields, 'a map with name, multiplier and models').transform((fields) => ({
  name: fields.name,
  multiplier: fields.multiplier ?? ONE_PPM,
  models: fields.models,
  isEnabled: fields.enabled ?? true,
  isOpen: fields.open ?? true,
  ...openToRoles(fields.open_to_roles ?? []),
  ...(fields.cache == null ? {} : { cache: fields.cache }),
}))

const quotaFields = { window: oneOf('5h', '1d', '7d', '30d', 'term'), usd: usd(BOUNDS.plan.quota_usd) }

const planFields = {
  name: nameOfPlan,
  groups: listOf(nameOfGroup, 'group names', BOUNDS.plan.groups),
  opens_groups: yesOrNo().nullish(),
  days: wholeNumber(BOUNDS.plan.days),
  price: usd(BOUNDS.plan.price),
  quotas: oncePerWindow(z.strictObject(quotaFields, 'a map with window and usd'), 'quotas').nullish(),
  limits: accountLimits().nullish(),
}

const plan = z
  .strictObject(planFields, 'a map with name, groups, days, price, quotas and limits')
  .transform(({ limits, opens_groups: opensGroups, ...fields }) => ({
    ...fields,
    opensGroups: opensGroups ?? true,
    quotas: fields.quotas ?? [],
    ...limitsWritten(limits),
  }))

const ownMultiplierFields = { group: nameOfGroup, multiplier: multiplier(BOUNDS.account.own_multiplier) }

const PASSWORD_FORM = `a password of ${BOUNDS.account.password.least} to ${BOUNDS.account.password.most} characters`

const accountFields = {
  email: emailAddress(),
  password: field(PASSWORD_FORM, (value) =>
    typeof value === 'string' && value.length >= BOUNDS.account.password.least
      ? lengthWithin(value, BOUNDS.account.password)
      : undefined,
  ).nullish(),
  password_hash: field('a password hash of an export', (value) =>
    typeof value === 'string' && value.length > 20 && value.length <= 512 ? value : undefined,
  ).nullish(),
  role: oneOf(...ROLES).nullish(),
  status: oneOf('active', 'disabled').nullish(),
  balance: usd(BOUNDS.account.balance).nullish(),
  subscription: nameOfPlan.nullish(),
  subscriptions: listOf(
    z.strictObject(
      { plan: nameOfPlan, starts_at: moment(), ends_at: moment() },
      'a map with plan, starts_at and ends_at',
    ),
    'running subscriptions',
    SECTION,
  ).nullish(),
  limits: accountLimits().nullish(),
  open_groups: listOf(nameOfGroup, 'group names', BOUNDS.account.open_groups).nullish(),
  multipliers: listOf(
    z.strictObject(ownMultiplierFields, 'a map with group and multiplier'),
    'own multipliers',
    BOUNDS.account.multipliers,
  ).nullish(),
}

const account = z
  .strictObject(accountFields, 'a map with email, password, role, balance, subscription and limits')
  .transform((fields) => ({
    email: fields.email,
    password: fields.password ?? null,
    passwordHash: fields.password_hash ?? null,
    role: fields.role ?? ('user' as const),
    status: fields.status ?? null,
    balance: fields.balance ?? null,
    subscription: fields.subscription ?? null,
    subscriptions: (fields.subscriptions ?? []).map(({ plan: planName, starts_at: startsAt, ends_at: endsAt }) => ({
      planName,
      startsAt,
      endsAt,
    })),
    openGroups: fields.open_groups ?? null,
    multipliers: fields.multipliers ?? null,
    ...limitsWritten(fields.limits),
  }))

const CUSTOM_KEY_FORM = `a custom key of ${BOUNDS.key.custom_key.least} to ${BOUNDS.key.custom_key.most} characters; a key in this file needs one, since a generated secret could never be shown`

const keyEntryFields = {
  account: emailAddress(),
  custom_key: field(CUSTOM_KEY_FORM, (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  ).optional(),
  secret_hash: field('the hash of a secret in an export', (value) =>
    typeof value === 'string' && (/^[\w-]{43}$/.test(value) || isBroughtKeyHash(value)) ? value : undefined,
  ).nullish(),
  secret_start: shownPart().nullish(),
  secret_end: shownPart().nullish(),
  ...keyFields,
}

/** What is shown of a secret. */
function shownPart() {
  return field('up to 10 characters of a secret', (value) =>
    typeof value === 'string' && /^[\w-]{0,10}$/.test(value) ? value : undefined,
  )
}

const key = z
  .strictObject(keyEntryFields, 'a map with account, name, group and custom_key')
  .superRefine((fields, context) => {
    if (fields.custom_key !== undefined || fields.secret_hash != null) return
    context.addIssue({ code: 'custom', path: ['custom_key'], message: CUSTOM_KEY_FORM })
  })
  .transform(
    ({ account: email, custom_key: secret, secret_hash: hash, secret_start: start, secret_end: end, ...fields }) => ({
      email,
      /** The hash of one whose secret only its owner has. */
      secret: secret ?? (hash == null ? '' : { hash, start: start ?? '', end: end ?? '' }),
      ...writtenKey(fields),
    }),
  )

const settingsField = z.unknown().transform((value, context): WrittenSettings => {
  const read = readWrittenSettings(value)
  if ('settings' in read) return read.settings
  context.addIssue({
    code: 'custom',
    message: read.takes ?? 'the settings of GET /api/settings',
    input: value,
    path: read.field === null ? [] : [read.field],
  })
  return z.NEVER
})

const declarationFields = {
  upstreams: section(upstream, 'upstreams'),
  models: section(model, 'models'),
  groups: section(group, 'groups'),
  plans: section(plan, 'plans'),
  accounts: section(account, 'accounts'),
  keys: section(key, 'keys'),
  settings: settingsField.nullish(),
}

/** The whole file. */
export const declarationSchema = z.strictObject(
  declarationFields,
  `a map with ${Object.keys(declarationFields).join(', ')}`,
)

/** The names of the fields that may stand at each place; list indexes are left out of the places. */
export const FIELD_NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    '': declarationFields,
    upstreams: upstreamFields,
    'upstreams.credentials': credentialFields,
    models: modelFields,
    'models.rules': FACTS,
    ...PRICE_FIELD_NAMES,
    'models.targets': targetFields,
    'models.targets.rules': FACTS,
    groups: groupFields,
    'groups.cache': cacheFields,
    plans: planFields,
    'plans.quotas': quotaFields,
    'plans.limits': accountLimitFields,
    'plans.limits.spend': { window: 0, usd: 0 },
    accounts: accountFields,
    'accounts.limits': accountLimitFields,
    'accounts.multipliers': ownMultiplierFields,
    'accounts.subscriptions': { plan: 0, starts_at: 0, ends_at: 0 },
    'accounts.limits.spend': { window: 0, usd: 0 },
    keys: keyEntryFields,
    'keys.rate_limit': { ...forEachCount(() => 0), spend: 0 },
    'keys.rate_limit.spend': { window: 0, usd: 0 },
  }).map(([place, fields]) => [place, Object.keys(fields)]),
)

function section<Entry extends z.ZodType>(entry: Entry, what: string) {
  return listOf(entry, what, SECTION)
    .nullish()
    .transform((entries) => entries ?? [])
}
