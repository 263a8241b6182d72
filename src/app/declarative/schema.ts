import { z } from 'zod'
import { isBroughtKeyHash } from '../../access/brought-key.ts'
import { readWrittenSettings, type WrittenSettings } from '../../control/settings/instance-settings.ts'
import { GROUP } from '../../contract/objects/group.ts'
import { MODEL } from '../../contract/objects/model.ts'
import { insertedAfter, objectOf } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import { TARGET } from '../../contract/objects/target.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { forEachCount } from '../../core/counted-limits.ts'
import { ROLES } from '../../core/roles.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { objectionToBaseUrl, objectionToDialect, objectionToChangedHeaders } from '../../routing/upstream-settings.ts'
import {
  emailAddress,
  field,
  lengthWithin,
  listOf,
  modelName,
  moment,
  multiplier,
  oncePerWindow,
  oneOf,
  SECTION,
  text,
  usd,
  yesOrNo,
  wholeNumber,
  listOfWords,
} from './fields.ts'
import { fileShape } from './file-shape.ts'
import { cacheFields, deviceRuleFields, groupFields } from './group-fields.ts'
import { keyFields, writtenKey } from './key-fields.ts'
import { FACTS, FACT_NAMES, type FactName, factOf, inOrder, type ModelRules } from '../../models/facts.ts'
import { accountLimitFields, accountLimits, limitsWritten } from './limit-fields.ts'
import { cost, margin, PRICE_FIELD_NAMES, price } from './price-fields.ts'
import {
  baseUrl,
  credential,
  credentialFields,
  credentials,
  headerName,
  headers,
  proxyUrl,
  requireShadowed,
} from './upstream-fields.ts'

/** What the declarative file says, checked by itself; names are not yet looked up. */
export type Declaration = z.output<typeof declarationSchema>
export type DeclaredAccount = Declaration['accounts'][number]
export type DeclaredKey = Declaration['keys'][number]

const nameOfGroup = text(BOUNDS.group.name)
const nameOfPlan = text(BOUNDS.plan.name)

const upstreamSettings = fileShape(UPSTREAM, {
  base_url: baseUrl()
    .nullish()
    .transform((url) => url ?? ''),
  headers: headers(),
  remove_headers: listOf(headerName(), 'header names', BOUNDS.upstream.remove_headers),
  rename_headers: z.record(z.string(), headerName(), 'a map of header names and their new names'),
  proxy_url: proxyUrl(),
})

const upstreamFields = insertedAfter(upstreamSettings, 'base_url', {
  credential: credential().nullish(),
  credentials: credentials().nullish(),
})

const upstream = z
  .strictObject(upstreamFields, 'a map with name, protocol, base_url and credential')
  .superRefine((fields, context) => {
    const message = objectionToBaseUrl(fields.protocol, fields.base_url === '' ? null : fields.base_url)
    if (message !== null) context.addIssue({ code: 'custom', path: ['base_url'], message })
    requireShadowed(fields, context)
    const dialect = objectionToDialect(objectOf(UPSTREAM, { ...fields, proxy_url: null }))
    if (dialect !== null) context.addIssue({ code: 'custom', path: [dialect.field], message: dialect.takes })
    const changed = objectionToChangedHeaders(fields.remove_headers, lowered(fields.rename_headers))
    if (changed !== null) context.addIssue({ code: 'custom', path: [changed.field], message: changed.takes })
    if (fields.credential == null || fields.credentials == null) return
    context.addIssue({ code: 'custom', path: ['credentials'], message: 'must not be set beside the field credential' })
  })
  .transform(({ credential: secret, credentials: several, proxy_url: proxy, ...fields }) => ({
    ...objectOf(UPSTREAM, { ...fields, proxy_url: null }),
    credentials: several ?? (secret == null ? [] : [onlyCredential(secret)]),
    proxyUrl: proxy,
  }))

function lowered(renamed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(renamed).map(([from, to]) => [from.toLowerCase(), to]))
}

function onlyCredential(secret: string) {
  const { sealedSecret, sealedProxyUrl: way, ...unlimited } = unlimitedCredential(secret)
  return { ...unlimited, secret: sealedSecret, proxyUrl: way, isDisabled: false }
}

const targetSettings = fileShape(TARGET, { min_margin: margin(), rules: modelRules() })

const targetFields = insertedAfter(
  { ...targetSettings, /** Left out: the public name. */ model: targetSettings.model.nullish() },
  'groups',
  { cost: cost.nullish() },
)

const target = z.strictObject(targetFields, 'a map with upstream and model').superRefine((fields, context) => {
  requireShadowed(fields, context)
  if (fields.min_margin == null || fields.cost != null) return
  context.addIssue({
    code: 'custom',
    path: ['min_margin'],
    message: 'must have a cost beside it: without one no margin is known',
  })
})

const modelSettings = fileShape(MODEL, { name: modelName(), rules: modelRules() })

const modelFields = {
  ...insertedAfter(modelSettings, 'name', { price: price.nullish() }),
  /** null: nothing was said about it, and it stays as it is. */
  price_locked: yesOrNo().nullish(),
  targets: listOf(target, 'targets', BOUNDS.model.targets),
}

const model = z
  .strictObject(modelFields, 'a map with name, price and targets')
  .transform(({ price: prices, price_locked: isPriceLocked, targets, ...fields }) => ({
    ...objectOf(MODEL, { ...fields, price_locked: false }),
    prices: prices ?? null,
    isPriceLocked: isPriceLocked ?? null,
    targets: targets.map((written) => {
      const {
        upstreamId,
        groupIds = [],
        ...declared
      } = objectOf(TARGET, {
        ...written,
        model: written.model ?? fields.name,
      })
      const known = written.cost == null ? {} : { cost: written.cost }
      return { ...declared, upstream: upstreamId, groups: groupIds, ...known }
    }),
  }))

const group = z
  .strictObject(groupFields, 'a map with name, multiplier and models')
  .transform((fields) => objectOf(GROUP, fields))

const quotaFields = { window: oneOf('5h', '1d', '7d', '30d', 'term'), usd: usd(BOUNDS.plan.quota_usd) }

const planFields = fileShape(PLAN, {
  quotas: oncePerWindow(z.strictObject(quotaFields, 'a map with window and usd'), 'quotas'),
  limits: accountLimits(),
})

const plan = z
  .strictObject(planFields, 'a map with name, groups, days, price, quotas and limits')
  .transform((fields) => {
    const { groupIds: groups, ...declared } = objectOf(PLAN, fields)
    return { ...declared, groups }
  })

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
    'groups.devices': deviceRuleFields,
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

/** `rules` of a model or a target: what it takes otherwise than the table of models says. */
function modelRules() {
  const fields = Object.fromEntries(FACT_NAMES.map((name) => [name, valueOf(name).optional()]))
  return z.strictObject(
    fields,
    'a map of facts about the model, such as temperature: refused',
  ) as unknown as z.ZodType<ModelRules>
}

function valueOf(name: FactName): z.ZodType {
  const fact = factOf(name)
  switch (fact.kind) {
    case 'flag':
      return yesOrNo()
    case 'word':
      return oneOf(...fact.words)
    case 'words':
      return listOfWords(fact.words, 'words').transform((some) => inOrder(fact.words, some))
    case 'number':
      if (fact.isWhole) return wholeNumber({ ...fact, unit: 'count' })
      return field(`a number from ${fact.least} to ${fact.most}`, (value) =>
        typeof value === 'number' && value >= fact.least && value <= fact.most ? value : undefined,
      )
  }
}
