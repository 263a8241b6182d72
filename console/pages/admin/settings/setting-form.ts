import type { SettingsView } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { amountOf, amountOrNone, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { objectText, readObject } from '../kit/json-object.ts'

/** The settings in the order of the page, each with how it is edited. */
export const SETTING_KINDS = {
  site_name: 'line',
  registration: 'choice',
  support_address: 'line',
  top_up_url: 'line',
  account_limits: 'limits',
  alert_template: 'template',
  imports: 'links',
  hidden_imports: 'ids',
  public_models: 'switch',
  public_status: 'switch',
  public_key_check: 'switch',
  capture_requests: 'switch',
  check_models: 'switch',
  device_sign_in: 'switch',
  max_devices: 'count',
  device_idle_days: 'days',
  device_max_days: 'days',
} as const satisfies Readonly<Record<SettingName, string>>

export const SETTING_NAMES = Object.keys(SETTING_KINDS) as readonly SettingName[]

export const COUNT_LIMITS = [
  'concurrency',
  'requests_per_minute',
  'tokens_per_minute',
  'max_keys',
  'max_key_validity_days',
] as const
export const SPEND_LIMITS = ['5h', '1d', '7d'] as const
export type LimitName = (typeof COUNT_LIMITS)[number] | (typeof SPEND_LIMITS)[number]

/** The text of a switch that is on. */
export const ON = 'on'

/** What is written in the editor of a setting: each as text. An empty text: not set. */
export interface SettingForm {
  readonly text: string
  readonly limits: Readonly<Partial<Record<LimitName, string>>>
  readonly imports: readonly { readonly name: string; readonly template: string }[]
}

/** What the fields of a setting are given by its editor. */
export interface SettingFieldsProps {
  readonly form: SettingForm
  onForm(form: SettingForm): void
  errorOf(field: string): string | undefined
}

const EMPTY: SettingForm = { text: '', limits: {}, imports: [] }

/** The editor of a setting as it stands. */
export function toForm(name: SettingName, settings: SettingsView): SettingForm {
  const value = settings[name]
  switch (SETTING_KINDS[name]) {
    case 'links':
      return { ...EMPTY, imports: settings.imports }
    case 'ids':
      return { ...EMPTY, text: settings.hidden_imports.join('\n') }
    case 'limits':
      return { ...EMPTY, limits: limitsOf(settings.account_limits) }
    case 'template':
      return { ...EMPTY, text: objectText(settings.alert_template) }
    case 'switch':
      return { ...EMPTY, text: value === true ? ON : '' }
    case 'count':
    case 'days':
      return { ...EMPTY, text: typeof value === 'number' ? String(value) : '' }
    case 'line':
    case 'choice':
      return { ...EMPTY, text: typeof value === 'string' ? value : '' }
  }
}

type Problem = 'jsonForm' | 'countForm' | 'wholeForm' | 'amountForm' | 'required'
export type FormValue = { readonly value: unknown } | { readonly field: string; readonly problem: Problem }

/** What is sent for it, or the field that is wrong. */
export function valueOf(name: SettingName, form: SettingForm): FormValue {
  const text = form.text.trim()
  switch (SETTING_KINDS[name]) {
    case 'links':
      return { value: form.imports.map((each) => ({ name: each.name.trim(), template: each.template.trim() })) }
    case 'ids':
      return { value: text === '' ? [] : text.split(/[\s,]+/) }
    case 'limits':
      return valueOfLimits(form.limits)
    case 'template': {
      if (text === '') return { value: null }
      const template = readObject(text)
      return template === null ? { field: name, problem: 'jsonForm' } : { value: template }
    }
    case 'switch':
      return { value: text === ON }
    case 'count':
    case 'days': {
      const count = countOf(text, { ...COUNT, least: 1 })
      return count === null ? { field: name, problem: 'wholeForm' } : { value: count }
    }
    case 'line':
    case 'choice':
      if (text === '' && name === 'site_name') return { field: name, problem: 'required' }
      return { value: text === '' ? null : text }
  }
}

export function limitsOf(limits: SettingsView['account_limits']): SettingForm['limits'] {
  if (limits === null) return {}
  const counts = COUNT_LIMITS.flatMap((name) => {
    const count = limits[name]
    return count == null ? [] : [[name, String(count)] as const]
  })
  const amounts = (limits.spend ?? []).map(({ window, usd }) => [window, usd] as const)
  return Object.fromEntries([...counts, ...amounts])
}

const COUNT = { least: 0, most: 999_999_999 } as const

function valueOfLimits(form: SettingForm['limits']): FormValue {
  const textOf = (name: LimitName): string => form[name] ?? ''
  const count = (text: string): number | null => countOf(text, COUNT)
  const wrongCount = COUNT_LIMITS.find((name) => !isEmptyOr(count, textOf(name)))
  if (wrongCount !== undefined) return { field: wrongCount, problem: 'countForm' }
  const wrongAmount = SPEND_LIMITS.find((name) => !isEmptyOr(amountOf, textOf(name)))
  if (wrongAmount !== undefined) return { field: wrongAmount, problem: 'amountForm' }
  const counts = COUNT_LIMITS.flatMap((name) => {
    const limit = count(textOf(name))
    return limit === null ? [] : [[name, limit] as const]
  })
  const spend = SPEND_LIMITS.flatMap((window) => {
    const usd = amountOrNone(textOf(window))
    return usd === null ? [] : [{ window, usd }]
  })
  if (counts.length === 0 && spend.length === 0) return { value: null }
  return { value: { ...Object.fromEntries(counts), ...(spend.length === 0 ? {} : { spend }) } }
}
