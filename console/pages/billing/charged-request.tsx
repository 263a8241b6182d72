import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LedgerEntryView } from '../../../src/contract/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { ExplainedCost } from '../../costs/explained-cost.tsx'

/** Why an entry was made: for a request its model and key, which lead to its record. */
export function ChargedRequest({ entry }: { readonly entry: LedgerEntryView }): ReactNode {
  const t = useTexts('billing').ledger
  if (entry.request_id === null) return reasonOf(entry)
  const subject = [entry.model, entry.key_name].filter((part) => part !== null && part !== '').join(' · ')
  return (
    <Link
      to={PATHS.usage}
      search={{ record: entry.request_id }}
      title={`${t.openRequest}: ${entry.request_id}`}
      className="[overflow-wrap:anywhere] text-accent hover:underline"
    >
      {subject === '' ? entry.request_id : subject}
    </Link>
  )
}

/** The amount of an entry, which says of a request how its cost came about. */
export function ChargedAmount(props: { readonly entry: LedgerEntryView; readonly children: ReactNode }): ReactNode {
  const { request_id: id } = props.entry
  return id === null ? props.children : <ExplainedCost requestId={id}>{props.children}</ExplainedCost>
}

/**
 * The reason without what its kind says already: of a redeemed code only how it ends is left, or its ID where it is not
 * there any more. A reference stands behind it.
 */
export function reasonOf(entry: Pick<LedgerEntryView, 'kind' | 'reason' | 'reference' | 'code_end'>): string {
  const { kind, reason, reference, code_end: end } = entry
  const code = end === null ? reason.replace(/^redeem code /, '') : `…${end}`
  const said = kind === 'redeem' ? code : reason
  return reference === null ? said : `${said} (${reference})`
}
