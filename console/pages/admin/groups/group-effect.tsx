import type { ReactNode } from 'react'
import type { UseOfGroup } from '../../../api/group-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { GroupEffect } from './group-form.ts'

/** How many models are named; the others are counted. */
const MOST_NAMES = 8

/** What saving does, before it is saved: to how many, and what it comes to at last week's use. */
export function EffectOfGroup(props: { readonly effect: GroupEffect; readonly use: UseOfGroup | null }): ReactNode {
  const t = useTexts('groups').effect
  const format = useFormat()
  const { effect, use } = props
  const { price, lostModels, isDisabled, isClosed } = effect
  const isHard = isDisabled || isClosed || lostModels.length > 0
  return (
    <Notice tone={isHard ? 'warn' : 'accent'} title={t.title} isLive>
      <p>
        <GroupUsers use={use} />
      </p>
      {price?.kind === 'usd' && <p>{t.price(format.moneyChange(price.usd))}</p>}
      {price?.kind === 'no_use' && <p>{t.noUse}</p>}
      {price?.kind === 'from_free' && <p>{t.fromFree}</p>}
      {lostModels.length > 0 && (
        <p className="[overflow-wrap:anywhere]">
          {t.models(lostModels.length, format.list(lostModels.slice(0, MOST_NAMES)))}
          {lostModels.length > MOST_NAMES && ' …'}
        </p>
      )}
      {isDisabled && <p>{t.disabled}</p>}
      {isClosed && <p>{t.closed}</p>}
    </Notice>
  )
}

/** How many keys of how many accounts use the group, and what else is to be said. */
export function GroupUsers(props: { readonly use: UseOfGroup | null; readonly more?: string | undefined }): ReactNode {
  const t = useTexts('groups').effect
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const counted = (count: number) => ({ count, shown: format.number(count) })
  const { use, more } = props
  const said = use === null ? [] : [use.keys === 0 ? t.noKeys : t.users(counted(use.keys), counted(use.accounts))]
  const fallback = use?.fallback_keys ?? 0
  if (fallback > 0) said.push(t.fallback(fallback, format.number(fallback)))
  return sentences(more === undefined ? said : [...said, more])
}
