import type { Account } from '../access/account.ts'
import { readAddressRange } from '../access/address-range.ts'
import type { NewKey } from '../access/api-key.ts'
import { type Group, groupServes } from '../access/group.ts'
import { laterByDays } from '../access/subscription.ts'
import { type KeySettings, type RateLimit, UNSET, type WantedSettings } from '../access/key-settings.ts'
import { hasCounts } from '../core/counted-limits.ts'
import { requireWithinRule } from './device-rule.ts'
import { SettingsRefusal } from './settings-refusal.ts'

/** The groups that the account of a key may use, and what there is to choose from. */
export interface KeySettingsContext {
  readonly catalogue: {
    readonly groupsById: ReadonlyMap<string, Group>
    readonly modelsByName: ReadonlyMap<string, unknown>
  }
  mayUse(group: Group): boolean
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** The longest validity that the account's limits allow. */
  readonly maxKeyValidityDays: number | null
  /** When the key was created, or is now. */
  readonly madeAt: number
  /** Whether it is the key of a device, and what its group says of devices holds for the one who asks. */
  readonly isByDeviceRule?: boolean
}

/**
 * Judges the settings that are wanted for a key, over those it has (null: it is being created). The one set of rules for the
 * API, the command line and the declarative file. What a key has already is not judged again: a new name needs no other group
 * where that was disabled meanwhile, and no later end where that has passed. Throws SettingsRefusal.
 */
export function judgeSettings(
  wanted: WantedSettings,
  before: KeySettings | null,
  context: KeySettingsContext,
): Partial<KeySettings> {
  const { allowedModels, allowedIps, rateLimit, expiresAt, tags } = wanted
  const groups = judgeGroups(wanted, before, context)
  if (allowedModels !== undefined) requireKnownModels(allowedModels, { before, groupIds: groups.all, context })
  if (expiresAt !== undefined) requireToCome(expiresAt, before, context.nowMs)
  if (before === null || (expiresAt !== undefined && expiresAt !== before.expiresAt)) {
    requireWithinValidity(expiresAt ?? null, context)
  }
  const settings = withoutUndefined({
    ...settingsIn(wanted),
    groupId: groups.own,
    fallbackGroupIds: groups.fallback,
    rateLimit: rateLimit == null ? rateLimit : judgeRateLimit(rateLimit),
    allowedModels: allowedModels === undefined ? undefined : [...new Set(allowedModels)],
    allowedIps: allowedIps === undefined ? undefined : judgeAddresses(allowedIps),
    tags: tags === undefined ? undefined : [...new Set(tags)],
  })
  if (context.isByDeviceRule === true) judgeByDeviceRule(settings, before, context)
  return settings
}

/** The rule of the group that the key is to be in. What the device has already is not judged again. */
function judgeByDeviceRule(
  settings: Partial<KeySettings>,
  before: KeySettings | null,
  { catalogue, madeAt }: KeySettingsContext,
): void {
  const after = { ...UNSET, ...before, ...settings }
  const isChosen = BY_DEVICE_RULE.some((name) => before === null || after[name] !== before[name])
  const rule = after.groupId === undefined ? undefined : catalogue.groupsById.get(after.groupId)?.devices
  if (isChosen && rule !== undefined) requireWithinRule(after, rule, madeAt)
}

const BY_DEVICE_RULE = ['groupId', 'quotaLimit', 'quotaReset', 'expiresAt'] as const

/** A new key of these settings, with the contract's defaults for what was left out. */
export function newKey(
  settings: Partial<KeySettings>,
  made: Pick<NewKey, 'id' | 'accountId' | 'createdAt' | 'isManaged' | 'isForPlayground'>,
): NewKey {
  return { ...UNSET, name: '', groupId: '', fallbackGroupIds: [], ...settings, ...made }
}

/** Any group, for admins, the command line and the file: a key may be put into a group before its account has the plan. */
export function adminMayUse(group: Group): boolean {
  return group.isEnabled
}

/** What stands in the way of a new key for this account; null: nothing. Ends a sentence by `mustBe`. */
export function objectionToOwner({ status }: Pick<Account, 'status'>): string | null {
  return status === 'active' ? null : 'an account that is active: this one is disabled, so enable it first'
}

const MOST_NAMED = 20

function judgeGroups(
  { group, fallbackGroups }: Pick<WantedSettings, 'group' | 'fallbackGroups'>,
  before: KeySettings | null,
  context: KeySettingsContext,
) {
  const kept = before === null ? [] : [before.groupId]
  const own = group === undefined ? undefined : groupNamed(group, ['group'], { kept, context })
  const fallback = fallbackGroups?.map((name, i) =>
    groupNamed(name, ['fallback_groups', i], { kept: before?.fallbackGroupIds ?? [], context }),
  )
  const all = [own ?? before?.groupId ?? '', ...(fallback ?? before?.fallbackGroupIds ?? [])]
  const repeated = all.findIndex((id, i) => all.indexOf(id) !== i)
  if (repeated > 0 && (own !== undefined || fallback !== undefined)) {
    throw new SettingsRefusal(
      ['fallback_groups', repeated - 1],
      "a group that is neither the key's own nor named before",
      { form: 'other_group' },
    )
  }
  return { own, fallback, all }
}

/** `kept`: groups that the key is in already, which it may stay in whatever became of them. */
function groupNamed(
  name: string,
  field: SettingsRefusal['field'],
  { kept, context }: { kept: readonly string[]; context: KeySettingsContext },
): string {
  const groups = [...context.catalogue.groupsById.values()]
  const group = groups.find((each) => each.name === name)
  if (group !== undefined && (kept.includes(group.id) || context.mayUse(group))) return group.id
  // A group that the account may not even see must look the same as one that does not exist.
  const usable = groups.filter((each) => context.mayUse(each)).map((each) => `"${each.name}"`)
  const choice =
    usable.length === 0 ? 'there is none at present' : `there are ${usable.slice(0, MOST_NAMED).join(', ')}`
  throw new SettingsRefusal(field, `the name of a group that is enabled and open to this account: ${choice}`, {
    form: 'usable_group',
    values: usable.slice(0, MOST_NAMED),
  })
}

function requireKnownModels(
  names: readonly string[],
  about: { before: KeySettings | null; groupIds: readonly string[]; context: KeySettingsContext },
): void {
  const { catalogue, mayUse } = about.context
  const groups = [...catalogue.groupsById.values()].filter((each) => about.groupIds.includes(each.id) || mayUse(each))
  const isKnown = (name: string) =>
    about.before?.allowedModels.includes(name) === true ||
    (catalogue.modelsByName.has(name) && groups.some((group) => groupServes(group, name)))
  const wrong = names.findIndex((name) => !isKnown(name))
  if (wrong === -1) return
  throw new SettingsRefusal(
    ['allowed_models', wrong],
    'the name of a model that this account can use; see GET /api/models',
    { form: 'usable_model' },
  )
}

function requireToCome(expiresAt: number | null, before: KeySettings | null, nowMs: number): void {
  if (expiresAt === null || expiresAt > nowMs || expiresAt === before?.expiresAt) return
  throw new SettingsRefusal(['expires_at'], 'a time in the future, or null for no end', { form: 'time_to_come' })
}

/** Counted from the creation of the key, so that it cannot be prolonged for ever. */
function requireWithinValidity(
  expiresAt: number | null,
  { maxKeyValidityDays: days, madeAt }: KeySettingsContext,
): void {
  if (days === null) return
  const latest = laterByDays(madeAt, days)
  if (expiresAt !== null && expiresAt <= latest) return
  throw new SettingsRefusal(
    ['expires_at'],
    `a time until ${new Date(latest).toISOString()}: keys of this account are valid for ${days === 1 ? '1 day' : `${days} days`} at most`,
    { form: 'time_until', values: [new Date(latest).toISOString(), String(days)] },
  )
}

function judgeAddresses(texts: readonly string[]): readonly string[] {
  const ranges = texts.map((text, i) => {
    const range = readAddressRange(text)
    if (range !== null) return range
    throw new SettingsRefusal(['allowed_ips', i], 'an IP address or CIDR range such as 203.0.113.7 or 10.0.0.0/8', {
      form: 'address_range',
    })
  })
  return [...new Set(ranges)]
}

/** The settings that are stored as they are asked for, and nothing else that a caller's value may hold beside them. */
function settingsIn(wanted: WantedSettings): Partial<KeySettings> {
  return Object.fromEntries(PLAIN_SETTINGS.map((name) => [name, wanted[name]]))
}

const PLAIN_SETTINGS = ['name', ...(Object.keys(UNSET) as (keyof typeof UNSET)[])] as const

/** null where it limits nothing. */
function judgeRateLimit(limit: RateLimit): RateLimit | null {
  const { spend } = limit
  const repeated = spend.findIndex(({ window }, i) => spend.findIndex((each) => each.window === window) !== i)
  if (repeated !== -1) {
    throw new SettingsRefusal(['rate_limit', 'spend', repeated, 'window'], 'must name each window once', {
      form: 'each_window_once',
    })
  }
  return spend.length === 0 && !hasCounts(limit) ? null : limit
}

function withoutUndefined(fields: {
  readonly [Field in keyof KeySettings]?: KeySettings[Field] | undefined
}): Partial<KeySettings> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
