import type { ReactNode } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ImportFields } from './import-fields.tsx'
import type { SettingFieldsProps } from './setting-fields-props.ts'
import { COUNT_LIMITS, ON, type LimitName, SPEND_LIMITS } from './setting-wish.ts'
import { TemplateFields } from './template-fields.tsx'

/** What is asked for one setting. */
export function SettingFields(props: SettingFieldsProps & { readonly name: SettingName }): ReactNode {
  const t = useTexts('settings')
  const { name, wish, onWish, errorOf } = props
  const onText = (text: string): void => onWish({ ...wish, text })
  switch (name) {
    case 'registration':
      return (
        <RadioCards
          label={t.settings.registration.name}
          isLabelHidden
          name={name}
          columns={1}
          value={wish.text}
          onValue={onText}
          options={(['invitation', 'open', 'closed'] as const).map((value) => ({
            value,
            label: t.registrations[value].name,
            detail: t.registrations[value].does,
          }))}
        />
      )
    case 'public_models':
    case 'public_status':
    case 'public_key_check':
    case 'capture_requests':
    case 'check_models':
      return (
        <Checkbox checked={wish.text === ON} onChecked={(isOn) => onText(isOn ? ON : '')}>
          {name === 'capture_requests' ? t.form.isAllowed : t.form.isOn}
        </Checkbox>
      )
    case 'account_limits':
      return <LimitFields {...props} />
    case 'alert_template':
      return <TemplateFields {...props} />
    case 'imports':
      return <ImportFields {...props} />
    case 'hidden_imports':
      return (
        <Field name={name} label={t.form.ids} error={errorOf(name)}>
          {(control) => (
            <TextArea {...control} rows={6} value={wish.text} onChange={(event) => onText(event.currentTarget.value)} />
          )}
        </Field>
      )
    case 'site_name':
    case 'support_address':
    case 'top_up_url':
      return (
        <TextField
          name={name}
          label={t.settings[name].name}
          value={wish.text}
          onValue={onText}
          error={errorOf(name)}
          maxLength={500}
          autoFocus
        />
      )
  }
}

function LimitFields({ wish, onWish, errorOf }: SettingFieldsProps): ReactNode {
  const t = useTexts('settings')
  const field = (name: LimitName, of: 'count' | 'amount'): ReactNode => (
    <NumberField
      of={of}
      key={name}
      name={name}
      label={t.limits[name]}
      value={wish.limits[name] ?? ''}
      onValue={(text) => onWish({ ...wish, limits: { ...wish.limits, [name]: text } })}
      error={errorOf(name)}
    />
  )
  const general = errorOf('account_limits')
  return (
    <>
      <p className="text-sm text-ink-2">{t.limitsHint}</p>
      {general !== undefined && <p className="text-sm text-bad">{general}</p>}
      <div className="grid items-end gap-4 sm:grid-cols-2">{COUNT_LIMITS.map((name) => field(name, 'count'))}</div>
      <div className="grid items-end gap-4 sm:grid-cols-3">{SPEND_LIMITS.map((name) => field(name, 'amount'))}</div>
    </>
  )
}
