import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { alertPreviewQuery } from '../../../api/settings-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { readObject } from '../kit/json-object.ts'
import {
  COUNT_LIMITS,
  type LimitName,
  ON,
  SETTING_KINDS,
  type SettingFieldsProps,
  SPEND_LIMITS,
} from './setting-form.ts'

/** What is asked for one setting. */
export function SettingFields(props: SettingFieldsProps & { readonly name: SettingName }): ReactNode {
  const t = useTexts('settings')
  const { name, form, onForm, errorOf } = props
  const onText = (text: string): void => onForm({ ...form, text })
  switch (SETTING_KINDS[name]) {
    case 'choice':
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
    case 'switch':
      return (
        <Checkbox checked={form.text === ON} onChecked={(isOn) => onText(isOn ? ON : '')}>
          {name === 'capture_requests' ? t.form.isAllowed : name.startsWith('public_') ? t.form.isOn : t.on}
        </Checkbox>
      )
    case 'limits':
      return <LimitFields {...props} />
    case 'template':
      return <TemplateFields {...props} />
    case 'links':
      return <ImportFields {...props} />
    case 'ids':
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
    case 'count':
    case 'days':
      return (
        <NumberField
          of="count"
          name={name}
          label={SETTING_KINDS[name] === 'days' ? t.form.days : t.settings[name].name}
          value={form.text}
          onValue={onText}
          error={errorOf(name)}
          autoFocus
        />
      )
    case 'line':
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

const TYPING_MS = 400
/** The placeholders of `src/core/alert-template.ts`; the API refuses others with a list. */
const PLACEHOLDERS =
  '{{title}} {{text}} {{id}} {{type}} {{created_at}} {{account_id}} {{account_email}} {{subject_kind}} {{subject_id}} {{subject_name}} {{percent}} {{limit}} {{used}} {{remaining}} {{window}} {{resets_at}} {{ends_at}}'

/** A body of alerts as JSON, with what it makes of an example while it is written. */
function TemplateFields({ form, onForm, errorOf }: SettingFieldsProps): ReactNode {
  const t = useTexts('settings').form
  const problemText = useProblemText()
  const text = useSettled(form.text)
  const preview = useQuery({ ...alertPreviewQuery(readObject(text)), placeholderData: keepPreviousData })
  const isEmpty = text.trim() === ''
  const unknown = unknownIn(text)
  return (
    <>
      <TextAreaField
        name="alert_template"
        label={t.json}
        hint={t.jsonHint}
        error={errorOf('alert_template')}
        rows={10}
        spellCheck={false}
        className="font-mono text-sm"
        value={form.text}
        onValue={(typed) => onForm({ ...form, text: typed })}
      />
      <div>
        <p className="text-sm text-ink-3">{t.placeholders}</p>
        <p className="font-mono text-xs [overflow-wrap:anywhere] text-ink-2">{PLACEHOLDERS}</p>
      </div>
      {!isEmpty && preview.error !== null && (
        <Notice tone="warn" isLive>
          {unknown === null ? problemText(preview.error) : t.unknownPlaceholder(unknown)}
        </Notice>
      )}
      {!isEmpty && preview.error === null && preview.data !== undefined && (
        <div className="grid gap-1.5">
          <p className="text-sm text-ink-2">{t.previewLead}</p>
          <CodeBlock title={t.preview} text={JSON.stringify(preview.data.body, null, 2)} isWrapped />
        </div>
      )}
    </>
  )
}

/** The text once its typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The first placeholder that there is none of, as it is written; null: all are known. */
function unknownIn(text: string): string | null {
  const known = PLACEHOLDERS.split(' ')
  return (text.match(/\{\{[^{}]*\}\}/g) ?? []).find((each) => !known.includes(each.replaceAll(' ', ''))) ?? null
}
