import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { alertPreviewQuery } from '../../../api/settings-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField } from '../../../forms/text-field.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type SettingFieldsProps, readObject } from './setting-form.ts'

const TYPING_MS = 400
/** The placeholders of `src/core/alert-template.ts`; the API refuses others with a list. */
const PLACEHOLDERS =
  '{{title}} {{text}} {{id}} {{type}} {{created_at}} {{account_id}} {{account_email}} {{subject_kind}} {{subject_id}} {{subject_name}} {{percent}} {{limit}} {{used}} {{remaining}} {{window}} {{resets_at}} {{ends_at}}'

/** A body of alerts as JSON, with what it makes of an example while it is written. */
export function TemplateFields({ form, onForm, errorOf }: SettingFieldsProps): ReactNode {
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
