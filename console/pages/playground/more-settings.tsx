import { type ReactNode, useState } from 'react'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Field } from '../../forms/field.tsx'
import { TextAreaField } from '../../forms/text-field.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { countOf, factorOf, isEmptyOr } from '../../forms/typed-numbers.ts'
import { useFormat } from '../../format/use-format.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Question } from './question.ts'

const IMAGE_BYTES = 5_000_000
const OUTPUT_TOKENS = { least: 1, most: 100_000 } as const
const HOTTEST = 2

/** What most questions do without. */
export function MoreSettings(props: {
  readonly question: Question
  readonly toolsError: string | undefined
  onChange(change: Partial<Question>): void
}): ReactNode {
  const t = useTexts('playground')
  const shared = useSharedTexts()
  const format = useFormat()
  const { question, toolsError, onChange } = props
  // As written: half a number is not one yet.
  const [written, setWritten] = useState({ temperature: '', maxTokens: String(question.maxTokens) })
  const [imageError, setImageError] = useState<string | undefined>(undefined)
  const [fileName, setFileName] = useState<string | null>(null)
  const takeImage = (file: File | undefined): void => {
    setImageError(undefined)
    setFileName(file?.name ?? null)
    // The picture before it is not sent under this one's name.
    onChange({ image: null })
    if (file === undefined) return
    if (file.size > IMAGE_BYTES) return setImageError(t.imageTooLarge)
    const reader = new FileReader()
    reader.addEventListener('load', () => onChange({ image: typeof reader.result === 'string' ? reader.result : null }))
    reader.readAsDataURL(file)
  }
  return (
    <Disclosure title={t.more} summary={t.moreSummary} isOpenAtFirst={toolsError !== undefined}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextAreaField
          name="system"
          label={t.system}
          value={question.system}
          onValue={(text) => onChange({ system: text })}
        />
        <TextAreaField
          name="tools"
          label={t.tools}
          hint={t.toolsHint}
          error={toolsError}
          className="font-mono text-sm"
          spellCheck={false}
          value={question.tools}
          onValue={(text) => onChange({ tools: text })}
        />
        <Field name="image" label={t.image} hint={t.imageHint} error={imageError}>
          {(control) => (
            // The browser's own button speaks the browser's language.
            <span className="control relative flex items-center gap-2 py-1 has-focus-visible:outline-2 has-focus-visible:outline-accent">
              <input
                {...control}
                type="file"
                accept="image/png,image/jpeg,image/webp,image/gif"
                className="absolute inset-0 size-full cursor-pointer opacity-0"
                onChange={(event) => takeImage(event.currentTarget.files?.[0])}
              />
              <span aria-hidden="true" className="shrink-0 rounded-sm border border-line bg-sunken px-2">
                {t.chooseImage}
              </span>
              <span role="status" className="min-w-0 truncate text-ink-3">
                {fileName ?? t.noImage}
              </span>
            </span>
          )}
        </Field>
        <div className="grid gap-4 xl:grid-cols-2">
          <NumberField
            of="factor"
            name="temperature"
            label={t.temperature}
            hint={t.temperatureHint}
            value={written.temperature}
            onValue={(temperature) => {
              setWritten((before) => ({ ...before, temperature }))
              if (isEmptyOr(temperatureOf, temperature)) onChange({ temperature: temperatureOf(temperature) })
            }}
            error={isEmptyOr(temperatureOf, written.temperature) ? undefined : shared.numberForm('0', '2')}
          />
          <NumberField
            of="count"
            name="max_tokens"
            label={t.maxTokens}
            value={written.maxTokens}
            onValue={(maxTokens) => {
              setWritten((before) => ({ ...before, maxTokens }))
              const tokens = countOf(maxTokens, OUTPUT_TOKENS)
              if (tokens !== null) onChange({ maxTokens: tokens })
            }}
            error={
              countOf(written.maxTokens, OUTPUT_TOKENS) === null
                ? shared.wholeForm('1', format.number(OUTPUT_TOKENS.most))
                : undefined
            }
          />
        </div>
        <Switch label={t.stream} checked={question.isStream} onChecked={(isStream) => onChange({ isStream })} />
      </div>
    </Disclosure>
  )
}

/** null: it is not one. */
function temperatureOf(text: string): number | null {
  const factor = factorOf(text)
  return factor === null || Number(factor) > HOTTEST ? null : Number(factor)
}
