import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { operationsDictionary } from '../../../dictionaries/operations.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'

/** The one button of an item: to where it is healed. */
export function HealLink({ item }: { readonly item: AttentionItemView }): ReactNode {
  const t = operationsDictionary.useTexts().open
  if (item.model === null) return null
  const isThere = item.kind !== 'model_unknown'
  return (
    <Link to={PATHS.models} search={isThere ? { model: item.model } : {}} className={buttonClass('secondary')}>
      {isThere ? t.model : t.models}
    </Link>
  )
}
