import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { GroupSettings, UseOfGroup } from '../../../api/group-admin.ts'
import { objectionToClaudeSettings } from '../../../../src/core/claude-settings.ts'
import { changedFields } from '../kit/changed-fields.ts'
import { objectText, readObject } from '../kit/json-object.ts'
import { ROLES } from '../roles.ts'
import { amountOf, amountOrNone, countOf, factorOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { formatPlain, isZero, leftOf, scaled, sumOf } from '../../../format/money.ts'

type QuotaReset = ApiKeyView['quota_reset']
export const QUOTA_RESETS: readonly QuotaReset[] = ['never', 'daily', 'weekly', 'monthly']

/** What is written in the form of a group. */
export interface GroupForm {
  readonly name: string
  readonly multiplier: string
  readonly hasAllModels: boolean
  /** The chosen models; without effect while it has all. */
  readonly models: readonly string[]
  readonly open: boolean
  /** The roles that may use it; without effect while it is open. */
  readonly roles: GroupView['open_to_roles']
  readonly enabled: boolean
  /** Settings of Claude Code as JSON; empty: none. */
  readonly claude: string
  /** What is said of devices, as text; empty: nothing. */
  readonly deviceQuota: string
  readonly deviceMaxQuota: string
  readonly deviceReset: QuotaReset
  readonly deviceDays: string
}

export const NEW_GROUP: GroupForm = {
  name: '',
  multiplier: '1',
  hasAllModels: true,
  models: [],
  open: true,
  roles: [],
  enabled: true,
  claude: '',
  deviceQuota: '',
  deviceMaxQuota: '',
  deviceReset: 'monthly',
  deviceDays: '',
}

/** The form of a group as it is. */
export function toForm(group: GroupView): GroupForm {
  const { name, multiplier, models, open, open_to_roles: roles, enabled } = group
  const hasAllModels = models.includes('*')
  const { devices } = group
  return {
    name,
    multiplier,
    hasAllModels,
    models: hasAllModels ? [] : models,
    open,
    roles,
    enabled,
    claude: objectText(group.claude_settings),
    deviceQuota: devices?.quota ?? '',
    deviceMaxQuota: devices?.max_quota ?? '',
    deviceReset: devices?.quota_reset ?? NEW_GROUP.deviceReset,
    deviceDays: devices?.max_days == null ? '' : String(devices.max_days),
  }
}

type Problem = 'required' | 'multiplierForm' | 'noModels' | 'claudeForm' | 'claudeLong' | 'amountForm' | 'daysForm'
type Field = 'name' | 'multiplier' | 'models' | 'claude_settings' | `devices.${'quota' | 'max_quota' | 'max_days'}`

/** What is wrong with the form, by its fields; empty: nothing. */
export function validate(form: GroupForm): Readonly<Partial<Record<Field, Problem>>> {
  const claude = problemOfClaude(form.claude)
  return {
    ...(claude === null ? {} : { claude_settings: claude }),
    ...(isEmptyOr(amountOf, form.deviceQuota) ? {} : { 'devices.quota': 'amountForm' }),
    ...(isEmptyOr(amountOf, form.deviceMaxQuota) ? {} : { 'devices.max_quota': 'amountForm' }),
    ...(isEmptyOr(daysOf, form.deviceDays) ? {} : { 'devices.max_days': 'daysForm' }),
    ...(form.name.trim() === '' ? { name: 'required' } : {}),
    ...(factorOf(form.multiplier) === null ? { multiplier: 'multiplierForm' } : {}),
    ...(form.hasAllModels || form.models.length > 0 ? {} : { models: 'noModels' }),
  }
}

function problemOfClaude(text: string): Problem | null {
  if (text.trim() === '') return null
  const settings = readObject(text)
  if (settings === null || Object.keys(settings).length === 0) return 'claudeForm'
  return objectionToClaudeSettings(settings) === null ? null : 'claudeLong'
}

const daysOf = (text: string): number | null => countOf(text, { least: 1, most: 3_650 })

/** null: nothing is said of devices. */
function devicesOf(form: GroupForm): GroupSettings['devices'] {
  const [quota, max_quota, max_days] = [
    amountOrNone(form.deviceQuota),
    amountOrNone(form.deviceMaxQuota),
    daysOf(form.deviceDays),
  ]
  if (quota === null && max_quota === null && max_days === null) return null
  return { quota, max_quota, quota_reset: form.deviceReset, max_days }
}

/** The settings of a new group as the API takes them; `cache`: the rule of the group that it is made from. */
export function settingsOf(form: GroupForm, cache: GroupView['cache']): GroupSettings {
  return {
    name: form.name.trim(),
    multiplier: factorOf(form.multiplier) ?? form.multiplier.trim(),
    models: form.hasAllModels ? ['*'] : [...form.models],
    open: form.open,
    open_to_roles: ROLES.filter((role) => form.roles.includes(role)),
    enabled: form.enabled,
    cache,
    devices: devicesOf(form),
    claude_settings: readObject(form.claude),
  }
}

/** Only what differs from the group as it was shown: what another admin changes meanwhile stays. */
export function changeOf(group: GroupView, form: GroupForm): Partial<GroupSettings> {
  return changedFields(settingsOf(toForm(group), null), settingsOf(form, null))
}

/** What saving does to those who use the group. */
export interface GroupEffect {
  /** null: the multiplier stays. `usd` a day, with its sign, at last week's use. */
  readonly price: { readonly kind: 'usd'; readonly usd: string } | { readonly kind: 'no_use' | 'from_free' } | null
  /** The models that can no longer be called. */
  readonly lostModels: readonly string[]
  readonly isDisabled: boolean
  readonly isClosed: boolean
}

type ChargesOfGroup = Pick<UseOfGroup, 'charged' | 'own_multipliers'>

/** null: saving changes nothing for anyone. `use`: of seven days; null: it is not known. */
export function effectOf(
  group: GroupView,
  form: GroupForm,
  { use, everyModel }: { readonly use: ChargesOfGroup | null; readonly everyModel: readonly string[] },
): GroupEffect | null {
  const change = changeOf(group, form)
  const after = change.models
  const before = group.models.includes('*') ? everyModel : group.models
  const lostModels = after === undefined || after.includes('*') ? [] : before.filter((name) => !after.includes(name))
  const isDisabled = change.enabled === false
  const isClosed = change.open === false
  const price =
    change.multiplier === undefined || factorOf(form.multiplier) === null
      ? null
      : priceEffect(group.multiplier, change.multiplier, use)
  if (price === null && lostModels.length === 0 && !isDisabled && !isClosed) return null
  return { price, lostModels, isDisabled, isClosed }
}

function priceEffect(before: string, after: string, use: ChargesOfGroup | null): GroupEffect['price'] {
  if (isZero(before)) return { kind: 'from_free' }
  if (use === null || isZero(use.charged)) return { kind: 'no_use' }
  const own = use.own_multipliers
  const others = sumOf([use.charged, ...own.map(({ charged }) => `-${charged}`)])
  const more = [
    moreOf(others, before, after),
    // The lower one counts, so theirs changes as far as the group's is or becomes the lower one.
    ...own.map(({ multiplier, charged }) => moreOf(charged, lower(before, multiplier), lower(after, multiplier))),
  ]
  return { kind: 'usd', usd: scaled(sumOf(more), '1', '7') }
}

/** How much more of what was charged at one multiplier there is at another. */
function moreOf(charged: string, before: string, after: string): string {
  return isZero(before) ? '0' : sumOf([scaled(charged, after, before), `-${formatPlain(charged)}`])
}

function lower(one: string, other: string): string {
  return isZero(leftOf(one, other)) ? one : other
}
