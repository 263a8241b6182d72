import { type ReactNode, useState } from 'react'
import { eachClaudeSetting } from '../../../../src/core/claude-settings.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextAreaField } from '../../../forms/text-field.tsx'
import type { FormState } from '../../../forms/use-form.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { readObject } from '../kit/json-object.ts'
import { type GroupForm, QUOTA_RESETS } from './group-form.ts'

/** The fields of it as the API names them. */
export const DEVICE_FIELDS = [
  'claude_settings',
  'devices.quota',
  'devices.max_quota',
  'devices.quota_reset',
  'devices.max_days',
] as const

/** What holds for the devices that are signed in in a group: folded away while nothing is set. */
export function DevicesOfGroup({ form }: { readonly form: FormState<GroupForm> }): ReactNode {
  const t = useTexts('groups').form
  const format = useFormat()
  const { values, change, errorOf } = form
  const isRuled = [values.deviceQuota, values.deviceMaxQuota, values.deviceDays].some((text) => text.trim() !== '')
  const isSet = [...(isRuled ? [t.devicesSet] : []), ...(values.claude.trim() === '' ? [] : [t.claude])]
  const [wasSet] = useState(isSet.length > 0)
  return (
    <Disclosure
      title={t.devices}
      summary={isSet.length === 0 ? t.devicesUnset : format.list(isSet)}
      isOpenAtFirst={wasSet || DEVICE_FIELDS.some((field) => errorOf(field) !== undefined)}
    >
      <div className="grid grid-cols-1 gap-4">
        <RuleFields form={form} />
        <TextAreaField
          name="claude_settings"
          label={t.claude}
          hint={t.claudeHint}
          error={errorOf('claude_settings')}
          rows={8}
          spellCheck={false}
          className="font-mono text-sm"
          value={values.claude}
          onValue={(claude) => change({ claude })}
        />
        <ClaudeMarks text={values.claude} />
      </div>
    </Disclosure>
  )
}

/** What people may choose when they approve a device. */
function RuleFields({ form }: { readonly form: FormState<GroupForm> }): ReactNode {
  const t = useTexts('groups').form
  const { resets } = useTexts('keys').form
  const { values, change, errorOf } = form
  const hasQuota = [values.deviceQuota, values.deviceMaxQuota].some((text) => text.trim() !== '')
  return (
    <>
      <p className="text-sm text-ink-3">{t.devicesLead}</p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField
          of="amount"
          name="devices.max_quota"
          label={t.deviceMaxQuota}
          hint={t.deviceMaxQuotaHint}
          value={values.deviceMaxQuota}
          onValue={(deviceMaxQuota) => change({ deviceMaxQuota })}
          error={errorOf('devices.max_quota')}
        />
        <NumberField
          of="amount"
          name="devices.quota"
          label={t.deviceQuota}
          hint={t.deviceQuotaHint}
          value={values.deviceQuota}
          onValue={(deviceQuota) => change({ deviceQuota })}
          error={errorOf('devices.quota')}
        />
        {hasQuota && (
          <SelectField
            name="devices.quota_reset"
            label={t.deviceReset}
            options={QUOTA_RESETS.map((reset) => ({ value: reset, label: resets[reset] }))}
            value={values.deviceReset}
            onValue={(deviceReset) => change({ deviceReset })}
            error={errorOf('devices.quota_reset')}
          />
        )}
        <NumberField
          of="count"
          name="devices.max_days"
          label={t.deviceDays}
          hint={t.deviceDaysHint}
          value={values.deviceDays}
          onValue={(deviceDays) => change({ deviceDays })}
          error={errorOf('devices.max_days')}
        />
      </div>
    </>
  )
}

/** How many names are listed; the others are left out. */
const MOST_NAMES = 12

/** What is more than a choice of models and the like in settings of Claude Code, before it is saved. */
function ClaudeMarks({ text }: { readonly text: string }): ReactNode {
  const t = useTexts('groups').form.marks
  const format = useFormat()
  const isAdmin = useMay('admin')
  const settings = readObject(text)
  const marked = settings === null ? [] : eachClaudeSetting(settings).filter(({ does }) => does !== 'harmless')
  const namesOf = (...effects: readonly string[]): string | null => {
    const names = marked.filter(({ does }) => effects.includes(does)).map(({ path }) => path)
    return names.length === 0 ? null : format.list(names.slice(0, MOST_NAMES)) + (names.length > MOST_NAMES ? ' …' : '')
  }
  const [runs, asks, all] = [namesOf('runs'), namesOf('runs', 'asks'), namesOf('runs', 'asks', 'unknown')]
  const forbidden = isAdmin ? null : all
  if (asks === null && forbidden === null) return null
  return (
    <Notice tone="warn" isLive>
      <div className="grid gap-1 [overflow-wrap:anywhere]">
        {runs !== null && <p>{t.runs(runs)}</p>}
        {asks !== null && <p>{t.asks(asks)}</p>}
        {forbidden !== null && <p>{t.admins(forbidden)}</p>}
      </div>
    </Notice>
  )
}
