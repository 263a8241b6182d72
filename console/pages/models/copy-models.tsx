import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { LIST_FORMATS, modelListText, type ListFormat } from './model-list-text.ts'

/** The chosen models as a text for a client's settings. */
export default function CopyModels(props: { readonly models: readonly ModelView[]; onClose(): void }): ReactNode {
  const t = useTexts('models').copyList
  const [format, setFormat] = useState<ListFormat>('lines')
  return (
    <Dialog isOpen onClose={props.onClose} title={t.title}>
      <div className="grid grid-cols-1 gap-3">
        <Select<ListFormat>
          aria-label={t.format}
          options={LIST_FORMATS.map((value) => ({ value, label: t.formats[value] }))}
          value={format}
          onValue={setFormat}
        />
        <p className="text-sm text-ink-3">{t.hints[format]}</p>
        <CodeBlock title={t.formats[format]} text={modelListText(props.models, format)} />
      </div>
    </Dialog>
  )
}
