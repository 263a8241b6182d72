import type { ReactNode } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { type SettingFieldsProps, COUNT_LIMITS, type LimitName, ON, SPEND_LIMITS } from './setting-form.ts'
import { TemplateFields } from './template-fields.tsx'

/** What is asked for one setting. */
export function SettingFields(props: SettingFieldsProps & { readonly name: SettingName }): ReactNode {
  const t = useTexts('settings')
  const { name, form, onForm, errorOf } = props
  const onText = (text: string): void => onForm({ ...form, text })
  switch (name) {
    case 'registration':
      return (
        <RadioCards
          label={t.settings.registration.name}
          isLabelHidden
          name={name}
          columns={1}
          value={form.text}
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
        <Checkbox checked={form.text === ON} onChecked={(isOn) => onText(isOn ? ON : '')}>
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
        <TextAreaField
          name={name}
          label={t.form.ids}
          error={errorOf(name)}
          rows={6}
          value={form.text}
          onValue={onText}
        />
      )
    case 'site_name':
    case 'support_address':
    case 'top_up_url':
      return (
        <TextField
          name={name}
          label={t.settings[name].name}
          value={form.text}
          onValue={onText}
          error={errorOf(name)}
          maxLength={500}
          autoFocus
        />
      )
  }
}

function LimitFields({ form, onForm, errorOf }: SettingFieldsProps): ReactNode {
  const t = useTexts('settings')
  const field = (name: LimitName, of: 'count' | 'amount'): ReactNode => (
    <NumberField
      of={of}
      key={name}
      name={name}
      label={t.limits[name]}
      value={form.limits[name] ?? ''}
      onValue={(text) => onForm({ ...form, limits: { ...form.limits, [name]: text } })}
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

const MOST = 50

/** Links by which keys are imported into programs of one's own. */
function ImportFields({ form, onForm, errorOf }: SettingFieldsProps): ReactNode {
  const t = useTexts('settings').form
  const { imports } = form
  const general = errorOf('imports')
  const change = (at: number, part: Partial<(typeof imports)[number]>): void =>
    onForm({ ...form, imports: imports.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  return (
    <>
      <p className="text-sm text-ink-2">{t.importHint}</p>
      {general !== undefined && <p className="text-sm text-bad">{general}</p>}
      {imports.map(({ name, template }, at) => (
        // On a phone the name has a line of its own, and the button stands behind the link.
        <div
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 max-sm:[&>:first-child]:col-span-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
        >
          <TextField
            name={`imports.${at}.name`}
            label={t.importName(at + 1)}
            value={name}
            onValue={(text) => change(at, { name: text })}
            maxLength={60}
          />
          <TextField
            name={`imports.${at}.template`}
            label={t.importTemplate(at + 1)}
            value={template}
            onValue={(text) => change(at, { template: text })}
            maxLength={2000}
          />
          <IconButton
            icon="trash"
            label={t.removeImport(at + 1)}
            onClick={() => onForm({ ...form, imports: imports.filter((_, index) => index !== at) })}
          />
        </div>
      ))}
      {imports.length < MOST && (
        <div>
          <Button icon="plus" onClick={() => onForm({ ...form, imports: [...imports, { name: '', template: '' }] })}>
            {t.addImport}
          </Button>
        </div>
      )}
    </>
  )
}
