import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'

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

export const LIST_FORMATS = ['lines', 'commas', 'json', 'opencode'] as const

export type ListFormat = (typeof LIST_FORMATS)[number]

type ModelWithLimits = Pick<ModelView, 'name' | 'context_tokens' | 'max_output_tokens'>

/** The names of models as a client takes them. */
export function modelListText(models: readonly ModelWithLimits[], format: ListFormat): string {
  const names = models.map(({ name }) => name)
  if (format === 'lines') return names.join('\n')
  if (format === 'commas') return names.join(',')
  if (format === 'json') return JSON.stringify(names, null, 2)
  return JSON.stringify(Object.fromEntries(models.map((model) => [model.name, openCodeModel(model)])), null, 2)
}

/** The entry of a model in OpenCode's file: its limits are written both or not at all. */
function openCodeModel({ context_tokens: context, max_output_tokens: output }: ModelWithLimits): object {
  return context === null || output === null ? {} : { limit: { context, output } }
}
