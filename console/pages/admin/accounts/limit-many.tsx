import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { useLimitNames } from './one/limit-names.ts'
import { FIELDS, isWindow, limitsOf, toForm, validate } from './one/limits-form.ts'
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
  const [form, setForm] = useState(() => toForm(null))
  const [isChecked, setChecked] = useState(false)
  const problems = validate(form)
  const wanted = limitsOf(form)
  const changed = accounts.filter((account) => changeOf(account, wanted) !== null)
  const send = (): void => {
    setChecked(true)
    if (Object.keys(problems).length === 0 && wanted !== null) {
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
          const problem = problems[field]
          return (
            <NumberField
              of={isWindow(field) ? 'amount' : 'count'}
              inputMode="text"
              key={field}
              name={field}
              label={names[field]}
              {...(isWindow(field) ? { hint: limits.spendHint } : {})}
              value={form[field]}
              onValue={(text) => setForm({ ...form, [field]: text })}
              error={isChecked && problem !== undefined ? limits[problem] : undefined}
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
  const isSame = JSON.stringify(toForm(limits)) === JSON.stringify(toForm(account.limits))
  return isSame ? null : { limits }
}
