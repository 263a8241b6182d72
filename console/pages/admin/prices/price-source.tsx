import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nameOf } from '../../../format/name-of.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { readImportSource } from './import/catalogue-entry.ts'

interface OfModel {
  readonly model: Pick<ModelView, 'managed' | 'price_changed'>
}

/** Where the price that a model has is from, and since when it has it. */
export function PriceSource({ model: { managed, price_changed: changed } }: OfModel): ReactNode {
  const t = useTexts('prices').source
  const format = useFormat()
  if (managed) return t.file
  if (changed == null) return <Nothing />
  const { form, rest } = readImportSource(changed.import_source ?? '')
  const source = [...(form === null ? [] : [t.forms[form]]), rest].filter((part) => part !== '').join(' ')
  const imported = source === '' ? t.import : t.importOf(source)
  const own = changed.via === 'file' ? t.file : t.byHand
  return (
    <>
      <CutName text={changed.action === 'model.import' ? imported : own} className="max-w-44" wrapsOnCards />
      <span className="block text-xs text-ink-3" title={format.time(changed.created_at)}>
        {format.date(changed.created_at)}
      </span>
    </>
  )
}

/** Who set it. */
export function ChangedBy({ model: { managed, price_changed: changed } }: OfModel): ReactNode {
  const t = useTexts('prices').source
  if (managed) return t.file
  if (changed == null) return <Nothing />
  const { actor, actor_email: email } = changed
  return <CutName text={email ?? nameOf(actor, t.actors)} className="max-w-44" wrapsOnCards />
}

function Nothing(): ReactNode {
  const t = useTexts('prices').source
  return (
    <span className="text-ink-3" title={t.unknown}>
      –
    </span>
  )
}
