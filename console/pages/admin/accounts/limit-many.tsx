import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { useLimitNames } from './one/limit-names.ts'
import { FIELDS, isWindow, limitsOf, objectionsTo, wishOf } from './one/limit-wish.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { ChangeOf } from './use-bulk-change.tsx'

/** Sets some limits of several accounts; those that are left empty stay as each account has them. */
export default function LimitMany(props: {
  readonly accounts: readonly AccountView[]
  readonly isBusy: boolean
  onChange(of: ChangeOf): void
  onClose(): void
}): ReactNode {
  const t = useTexts('accounts').bulk.limits
  const limits = useTexts('oneAccount').limits
  const names = useLimitNames()
  const { accounts } = props
  const [wish, setWish] = useState(() => wishOf(null))
  const [isChecked, setChecked] = useState(false)
  const objections = objectionsTo(wish)
  const wanted = limitsOf(wish)
  const changed = accounts.filter((account) => changeOf(account, wanted) !== null)
  const send = (): void => {
    setChecked(true)
    if (Object.keys(objections).length === 0 && wanted !== null) {
      props.onChange((account) => changeOf(account, wanted))
    }
  }
  return (
    <BulkDialog
      title={t.title(accounts.length)}
      changes={changed.length}
      isBusy={props.isBusy}
      onSend={send}
      onClose={props.onClose}
    >
      <p className="mb-4 text-ink-2">{t.lead}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {FIELDS.map((field) => {
          const objection = objections[field]
          return (
            <NumberField
              of={isWindow(field) ? 'amount' : 'count'}
              inputMode="text"
              key={field}
              name={field}
              label={names[field]}
              {...(isWindow(field) ? { hint: limits.spendHint } : {})}
              value={wish[field]}
              onValue={(text) => setWish({ ...wish, [field]: text })}
              error={isChecked && objection !== undefined ? limits[objection] : undefined}
            />
          )
        })}
      </div>
    </BulkDialog>
  )
}

/** null: the account has these limits already, or is not changed here. */
function changeOf(account: AccountView, wanted: AccountView['limits']): ReturnType<ChangeOf> {
  if (wanted === null || account.managed || account.closed) return null
  const limits = { ...account.limits, ...wanted }
  const isSame = JSON.stringify(wishOf(limits)) === JSON.stringify(wishOf(account.limits))
  return isSame ? null : { limits }
}
