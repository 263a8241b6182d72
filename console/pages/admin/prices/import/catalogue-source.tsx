import { useState, type ReactNode } from 'react'
import { priceImportDictionary } from '../../../../dictionaries/price-import.ts'
import { Field } from '../../../../forms/field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Input, TextArea } from '../../../../ui/input.tsx'
import { Section } from '../../../../ui/section.tsx'
import type { Catalogue } from './catalogue-entry.ts'
import { type CatalogueObjection, readCatalogue } from './read-catalogue.ts'

/** Larger than any catalogue of today. */
const MOST_BYTES = 32 * 1024 * 1024

/** Where the prices come from: a file, or what is pasted. It is read in this browser and sent nowhere. */
export function CatalogueSource(props: { onCatalogue(catalogue: Catalogue): void }): ReactNode {
  const t = priceImportDictionary.useTexts().source
  const [text, setText] = useState('')
  const [objection, setObjection] = useState<CatalogueObjection | 'too_large' | 'required' | null>(null)
  const read = (content: string): void => {
    const found = content.trim() === '' ? ('required' as const) : readCatalogue(content)
    if (typeof found === 'string') setObjection(found)
    else props.onCatalogue(found)
  }
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > MOST_BYTES) setObjection('too_large')
    else read(await file.text())
  }
  return (
    <Section title={t.title} lead={t.lead}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          read(text)
        }}
      >
        <Field name="file" label={t.file} hint={t.fileHint}>
          {(control) => (
            <Input
              {...control}
              type="file"
              accept=".json,application/json"
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <Field name="text" label={t.text} error={objection === null ? undefined : t.objections[objection]}>
          {(control) => (
            <TextArea
              {...control}
              rows={8}
              spellCheck={false}
              className="font-mono"
              value={text}
              onChange={(event) => {
                setObjection(null)
                setText(event.currentTarget.value)
              }}
            />
          )}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" look="primary">
            {t.action}
          </Button>
        </div>
      </form>
    </Section>
  )
}
