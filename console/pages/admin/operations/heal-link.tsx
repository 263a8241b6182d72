import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { ADMIN_PATHS } from '../../../admin-paths.ts'
import { operationsDictionary } from '../../../dictionaries/operations.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'

const OF_UPSTREAMS: readonly string[] = ['credential_held', 'spend_cap']

/** The one button of an item: to where it is healed. */
export function HealLink({ item }: { readonly item: AttentionItemView }): ReactNode {
  const t = operationsDictionary.useTexts().open
  if (OF_UPSTREAMS.includes(item.kind) && item.upstream !== null) {
    return (
      <Link to={ADMIN_PATHS.upstream} params={{ upstreamId: item.upstream.id }} className={buttonClass('secondary')}>
        {t.upstream}
      </Link>
    )
  }
  if (item.account !== null) {
    return (
      <Link to={ADMIN_PATHS.account} params={{ accountId: item.account.id }} className={buttonClass('secondary')}>
        {t.account}
      </Link>
    )
  }
  if (item.model === null) return null
  const isThere = item.kind !== 'model_unknown'
  return (
    <Link to={PATHS.models} search={isThere ? { model: item.model } : {}} className={buttonClass('secondary')}>
      {isThere ? t.model : t.models}
    </Link>
  )
}
